import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidentPath, messagePath } from '../../../src/actions/incidents/message-link.js'
import { findViolations } from '../../_support/browser/axe.js'
import { closeWindow, openWindow } from '../../_support/browser/window.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, project, clock } = world

async function addChannel(projectId = project.id, name = 'Ops chat'): Promise<string> {
  const settings = { value: 'ops@example.org', down: 'true', up: 'true' }
  const channel = { projectId, name, kind: 'email', settings, members: [], now: clock.now() }
  return (await store.channels.create(channel)).uuid
}

async function goDown(name: string, projectId = project.id) {
  const uuid = await world.addCheck(name, projectId)
  if (projectId === project.id)
    await store.channels.switchForCheck(projectId, { check: uuid, channel }, true, clock.now())
  await world.send('GET', `/ping/${uuid}/fail`)
  const id = (await store.incidents.openIncident(uuid))!
  return { uuid, id, openedAt: (await store.incidents.find(projectId, id, clock.now())).openedAt }
}

const channel = await addChannel()
const BY = 'the link in a message to “Ops chat”'

interface Down {
  id: number
  openedAt: number
}

const pathOf = (incident: Down, uuid = channel) =>
  incidentPath(world.config.SECRET_KEY, { uuid, linkVersion: 0 }, incident)
const ackOf = async ({ id }: Down, projectId = project.id) =>
  (await store.incidents.find(projectId, id, clock.now())).acknowledged
const silences = async () => await store.silences.list(project.id, clock.now())
const silencesOf = async (uuid: string) =>
  (await silences()).filter(({ namedChecks }) => namedChecks?.some(check => check.uuid === uuid))

async function press(path: string, fields: Record<string, string> = {}) {
  const body = new URLSearchParams(fields)
  return await fetch(world.root + path, { method: 'POST', body })
}

test('20: fetching the link beforehand changes nothing, whatever the method', async () => {
  const down = await goDown('Prefetched')
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'GET']) {
    for (const query of ['', '?for=3600', '?note=mine&until=1h']) {
      await (await fetch(world.root + pathOf(down) + query, { method })).arrayBuffer()
    }
  }
  assert.equal(await ackOf(down), null)
  assert.deepEqual(await silencesOf(down.uuid), [])
})

test('the button acknowledges without signing in, in the name of the channel', async () => {
  const down = await goDown('Pressed <b>')
  const { status, text } = await world.stranger().get(pathOf(down))
  assert.equal(status, 200)
  assert.match(text, /Acknowledge Pressed &lt;b&gt;\?/)
  assert.doesNotMatch(text, /Alice’s jobs/)
  assert.equal((await press(pathOf(down))).status, 200)
  assert.deepEqual(await ackOf(down), { by: BY, at: clock.now(), note: '', until: null })
})

test('the page acknowledges with a note and an end, by the clock of the project’s owner', async () => {
  const down = await goDown('Noted')
  const { text } = await world.stranger().get(pathOf(down))
  assert.match(text, /name="note"[\s\S]*<option value="tomorrow">/)
  assert.equal((await press(pathOf(down), { note: 'on my way', until: '4h' })).status, 200)
  const until = clock.now() + 4 * 3_600_000
  assert.deepEqual(await ackOf(down), { by: BY, at: clock.now(), note: 'on my way', until })
  assert.equal((await press(pathOf(await goDown('Long')), { note: 'x'.repeat(1_001) })).status, 400)
})

test('the page silences the check for a time, and a second choice changes its end', async () => {
  const down = await goDown('Snoozed')
  const answer = await (await press(pathOf(down), { for: '14400' })).text()
  assert.match(answer, /<h1>Silenced<\/h1>/)
  await press(pathOf(down), { for: '3600' })
  const [silence, ...others] = await silencesOf(down.uuid)
  assert.equal(others.length, 0)
  const { createdBy, mode, times, state, channels } = silence!
  assert.deepEqual(
    { createdBy, mode, state, channels },
    { createdBy: BY, mode: 'hold', state: 'active', channels: null },
  )
  assert.equal(times.kind === 'once' && times.to, clock.now() + 3_600_000)
  assert.equal(await ackOf(down), null)
  assert.equal((await press(pathOf(down), { for: 'ever' })).status, 400)
  assert.match(
    (await world.alice.get(`/projects/${project.uuid}/silences/`)).text,
    /by the link in a message/,
  )
})

test('“until tomorrow” is 9:00 by the clock of the project’s owner, and the page names the zone', async () => {
  await store.people.setPreferences(world.alice.id, { timezone: 'Asia/Tokyo', theme: 'auto' })
  const down = await goDown('Until tomorrow')
  assert.match((await world.stranger().get(pathOf(down))).text, /Until 9:00 tomorrow \(Asia\/Tokyo\)/)
  await press(pathOf(down), { for: 'tomorrow' })
  const { times } = (await silencesOf(down.uuid))[0]!
  assert.ok(times.kind === 'once')
  assert.match(new Date(times.to + 9 * 3_600_000).toISOString(), /T09:00:00\.000Z$/)
})

test('a changed signature, incident or channel, and odd paths, change nothing', async () => {
  const [one, other] = [await goDown('One'), await goDown('Other')]
  const another = await addChannel()
  const path = pathOf(one)
  const wrong = [
    path.replace(/[^/](?=[^/]*\/$)/, first => (first === 'A' ? 'B' : 'A')),
    path.replace(`/${one.id}/`, `/${other.id}/`),
    path.replace(channel, another),
    path.replace(`/${one.id}/`, '/1e999/'),
    path.replace(/[^/]+\/$/, `${'A'.repeat(5_000)}/`),
    path.replace(channel, '%00'),
    path.replace('/incidents/', '/messages/'),
  ]
  for (const link of wrong) {
    assert.match((await world.stranger().get(link)).text, /Incorrect link/, link)
    assert.match(await (await press(link, { for: '3600' })).text(), /Incorrect link/)
    await press(link)
  }
  assert.deepEqual([await ackOf(one), await ackOf(other)], [null, null])
  assert.deepEqual([...(await silencesOf(one.uuid)), ...(await silencesOf(other.uuid))], [])
})

test('a link signed for an incident that had the same number before is refused with a sentence', async () => {
  const down = await goDown('Number used again')
  const old = pathOf({ id: down.id, openedAt: down.openedAt - 1_000 })
  assert.match((await world.stranger().get(old)).text, /its incident is no longer kept\. Nothing was changed/)
  await press(old)
  assert.equal(await ackOf(down), null)
})

test('a channel’s link to an incident of another project is wrong', async () => {
  const down = await goDown('Of Charlie', world.charlies.id)
  assert.match((await world.stranger().get(pathOf(down))).text, /Incorrect link/)
  await press(pathOf(down))
  await press(pathOf(down), { for: '3600' })
  assert.equal(await ackOf(down, world.charlies.id), null)
  assert.deepEqual(await store.silences.list(world.charlies.id, clock.now()), [])
})

test('the link ends with its incident, and works again if that is reopened', async () => {
  const down = await goDown('Over')
  await world.send('GET', `/ping/${down.uuid}`)
  assert.match((await world.stranger().get(pathOf(down))).text, /It is over/)
  assert.match(await (await press(pathOf(down))).text(), /nothing to\s+acknowledge/)
  assert.match(await (await press(pathOf(down), { for: '3600' })).text(), /It is over/)
  assert.equal(await ackOf(down), null)
  assert.deepEqual(await silencesOf(down.uuid), [])
  clock.advance(60)
  await world.send('GET', `/ping/${down.uuid}/fail`)
  assert.equal(await store.incidents.openIncident(down.uuid), down.id)
  await press(pathOf(down))
  assert.equal((await ackOf(down))!.by, BY)
})

test('the link of an incident does nothing to the next one of the same check', async () => {
  const before = await goDown('Again')
  await world.send('GET', `/ping/${before.uuid}`)
  clock.advance(3_600)
  await world.send('GET', `/ping/${before.uuid}/fail`)
  const next = (await store.incidents.openIncident(before.uuid))!
  assert.notEqual(next, before.id)
  await press(pathOf(before))
  await press(pathOf(before), { for: '3600' })
  assert.equal(await ackOf({ id: next, openedAt: clock.now() }), null)
  assert.deepEqual(await silencesOf(before.uuid), [])
})

test('the link leaves the note and the end of a user who was faster', async () => {
  const down = await goDown('Faster')
  const asked = { by: 'alice@example.org', note: 'mine', until: clock.now() + 3_600_000, now: clock.now() }
  await store.incidents.acknowledge(project.id, [down.id], asked)
  assert.match(await (await press(pathOf(down), { note: 'late' })).text(), /Acknowledged/)
  assert.equal((await ackOf(down))!.note, 'mine')
})

test('of two who press at the same moment, one acknowledges', async () => {
  const down = await goDown('Twice')
  await Promise.all([press(pathOf(down), { note: 'one' }), press(pathOf(down), { note: 'two' })])
  const { entries } = await store.incidents.timeline(project.id, down.id, clock.now())
  assert.equal(entries.filter(({ type }) => type === 'acknowledged').length, 1)
})

test('a session of somebody else gives the link no more rights, and a page of another site none', async () => {
  const down = await goDown('From elsewhere')
  const headers = { Origin: 'https://evil.example', Referer: 'https://evil.example/' }
  const fields = { incident: `${project.uuid}:${down.id}` }
  const from = await world.stranger().post('/incidents/acknowledge/', { ...fields, csrf: '' }, headers)
  assert.notEqual(from.status, 200)
  const charlies = await world.charlie.post(pathOf(down).replace(/[^/]+\/$/, 'x/'), {}, headers)
  assert.match(charlies.text, /Incorrect link/)
  assert.equal(await ackOf(down), null)
})

test('a link to a message that named nothing, or whose incidents are closed, says that it is over', async () => {
  const path = messagePath(
    world.config.SECRET_KEY,
    { uuid: channel, linkVersion: 0 },
    '6f1c3c5e-7c50-4bd4-a37a-5d2f3a7d9a10',
  )
  assert.match((await world.stranger().get(path)).text, /Every incident in this message is closed/)
  assert.match(await (await press(path, { for: '3600' })).text(), /It is over/)
  assert.match(
    (await world.stranger().get(path.replace(/.\/$/, end => (end === 'A/' ? 'Q/' : 'A/')))).text,
    /Incorrect link/,
  )
})

test('one network can press only so many buttons an hour', async () => {
  clock.advance(3_600)
  const down = await goDown('Pressed often')
  const statuses = new Set<number>()
  for (let n = 0; n < 105; n++) statuses.add((await press(pathOf(down))).status)
  assert.deepEqual([...statuses], [200, 429])
  assert.equal((await press(pathOf(down), { for: '3600' })).status, 429)
})

test('the page is accessible, and its buttons work in a browser', async () => {
  clock.advance(3_600)
  const page = await openWindow(world, null, pathOf(await goDown('In a browser')))
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('heading', { name: 'Acknowledged' }).waitFor()
  await page.getByRole('button', { name: 'For 1 hour' }).click()
  await page.getByRole('heading', { name: 'Silenced' }).waitFor()
  assert.deepEqual(await findViolations(page), [])
  await closeWindow(page)
})
