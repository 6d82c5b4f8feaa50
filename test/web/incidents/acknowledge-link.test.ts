import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acknowledgePath } from '../../../src/actions/incidents/acknowledge-link.js'
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
  await world.send('GET', `/ping/${uuid}/fail`)
  return { uuid, id: (await store.incidents.openIncident(uuid))! }
}

const channel = await addChannel()
const pathOf = (id: number, uuid = channel) => acknowledgePath(world.config.SECRET_KEY, uuid, id)
const ackOf = async (id: number, projectId = project.id) =>
  (await store.incidents.find(projectId, id, clock.now())).acknowledged
const press = async (path: string) => await fetch(world.root + path, { method: 'POST' })

test('20: fetching the link beforehand acknowledges nothing, whatever the method', async () => {
  const { id } = await goDown('Prefetched')
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'GET']) {
    await (await fetch(world.root + pathOf(id), { method })).arrayBuffer()
  }
  assert.equal(await ackOf(id), null)
})

test('the button acknowledges without signing in, in the name of the channel', async () => {
  const { id } = await goDown('Pressed <b>')
  const { status, text } = await world.stranger().get(pathOf(id))
  assert.equal(status, 200)
  assert.match(text, /Acknowledge Pressed &lt;b&gt;\?/)
  assert.doesNotMatch(text, /Alice’s jobs/)
  assert.equal((await press(pathOf(id))).status, 200)
  assert.deepEqual(await ackOf(id), { by: 'a link in “Ops chat”', at: clock.now(), note: '', until: null })
})

test('a link with a changed signature, incident or channel acknowledges nothing', async () => {
  const [one, other] = [await goDown('One'), await goDown('Other')]
  const another = await addChannel()
  const path = pathOf(one.id)
  const wrong = [
    path.replace(/[^/](?=[^/]*\/$)/, first => (first === 'A' ? 'B' : 'A')),
    path.replace(`/${one.id}/`, `/${other.id}/`),
    path.replace(channel, another),
    path.replace(`/${one.id}/`, '/1e999/'),
  ]
  for (const link of wrong) {
    assert.match((await world.stranger().get(link)).text, /Incorrect link/)
    await press(link)
  }
  assert.deepEqual([await ackOf(one.id), await ackOf(other.id)], [null, null])
})

test('a channel’s link to an incident of another project is wrong', async () => {
  const { id } = await goDown('Of Charlie', world.charlies.id)
  assert.match((await world.stranger().get(pathOf(id))).text, /Incorrect link/)
  await press(pathOf(id))
  assert.equal(await ackOf(id, world.charlies.id), null)
})

test('the link ends with its incident, and says so', async () => {
  const { id, uuid } = await goDown('Over')
  await world.send('GET', `/ping/${uuid}`)
  assert.match((await world.stranger().get(pathOf(id))).text, /It is over/)
  assert.match(await (await press(pathOf(id))).text(), /nothing to\s+acknowledge/)
  assert.equal(await ackOf(id), null)
})

test('the link leaves the note and the end of a user who was faster', async () => {
  const { id } = await goDown('Faster')
  const asked = { by: 'alice@example.org', note: 'mine', until: clock.now() + 3_600_000, now: clock.now() }
  await store.incidents.acknowledge(project.id, [id], asked)
  assert.match(await (await press(pathOf(id))).text(), /Acknowledged/)
  assert.equal((await ackOf(id))!.note, 'mine')
})

test('one network can press only so many buttons an hour', async () => {
  const { id } = await goDown('Pressed often')
  const statuses = new Set<number>()
  for (let n = 0; n < 105; n++) statuses.add((await press(pathOf(id))).status)
  assert.deepEqual([...statuses], [200, 429])
})

test('the page is accessible, and its button works in a browser', async () => {
  clock.advance(3_600)
  const { id } = await goDown('In a browser')
  const page = await openWindow(world, null, pathOf(id))
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('heading', { name: 'Acknowledged' }).waitFor()
  await closeWindow(page)
})
