import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_CREATED } from '../../../src/core/pings/most-created.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, rita, charlie, project, store } = world
const list = `/projects/${project.uuid}/incidents/`

/** Takes a check down and returns the page of its incident. */
async function goDown(name: string, { body = '', projectId = project.id } = {}): Promise<string> {
  const uuid = await world.addCheck(name, projectId)
  await world.send('POST', `/ping/${uuid}/3`, { body })
  const id = await store.incidents.openIncident(uuid)
  const owner = projectId === project.id ? project.uuid : world.charlies.uuid
  return `/projects/${owner}/incidents/${id}/`
}

const idOf = (page: string) => /(\d+)\/$/.exec(page)![1]!
const chosen = (page: string) => `${/projects\/([^/]+)/.exec(page)![1]}:${idOf(page)}`
const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
const acknowledge = (person: typeof alice, incidents: string[], more: Record<string, string> = {}) =>
  person.post('/incidents/acknowledge/', { incident: incidents.map(chosen).join(' '), ...more })

test('open incidents stand first, with their cause and whether anyone is on them', async () => {
  const closed = await world.addCheck('Over')
  await world.send('GET', `/ping/${closed}/fail`)
  world.clock.advance(300)
  await world.send('GET', `/ping/${closed}`)
  await goDown('Still down')
  const words = wordsOf((await alice.get(list)).text)
  assert.match(words, /Open .*Still down.*Today.*Over/)
  assert.match(words, /The job reported a failure\./)
  assert.match(words, /Exit status 3\./)
  assert.match(words, /5 min/)
})

test('the incidents of all projects of a user are on one page', async () => {
  await goDown('Of Charlie', { projectId: world.charlies.id })
  assert.match((await charlie.get('/incidents/')).text, /Of Charlie/)
  assert.doesNotMatch((await alice.get('/incidents/')).text, /Of Charlie/)
})

test('many checks that went down together are one line, which can be chosen as a whole', async () => {
  const night = await world.projectOf(alice, 'Night')
  for (let n = 0; n < 38; n++) {
    const uuid = await world.addCheck(`Job ${n}`, night.id)
    await world.send('GET', `/ping/${uuid}/fail`)
    world.clock.advance(6)
  }
  const page = `/projects/${night.uuid}/incidents/`
  const { text } = await alice.get(page)
  assert.match(wordsOf(text), /38 checks went down \d\d:\d\d to \d\d:\d\d/)
  const value = /name="incident" value="([^"]*,[^"]*)"/.exec(text)![1]!
  assert.equal(value.split(',').length, 38)
  await alice.post('/incidents/acknowledge/', { incident: value, note: 'router', until: 'up' })
  assert.match(wordsOf((await alice.get(page)).text), /all acknowledged/)
})

test('closed incidents stand under their days, in pages that neither repeat, lose nor split any', async () => {
  const own = await world.projectOf(alice, 'Long')
  const page = `/projects/${own.uuid}/incidents/`
  const often = await world.addCheck('Often', own.id)
  const isDownFor = async (uuids: string[], seconds: number) => {
    for (const uuid of uuids) await world.send('GET', `/ping/${uuid}/fail`)
    world.clock.advance(seconds)
    for (const uuid of uuids) await world.send('GET', `/ping/${uuid}`)
    world.clock.advance(1_800 - seconds)
  }
  for (let n = 0; n < 12; n++) await isDownFor([often], 60)
  await isDownFor(await Promise.all([1, 2, 3, 4, 5].map(n => world.addCheck(`Host ${n}`, own.id))), 60)
  for (let n = 0; n < 98; n++) await isDownFor([often], 60)
  const first = (await alice.get(page)).text
  const links = (text: string) =>
    [...text.matchAll(/class="name" href="[^"]*\/(\d+)\/"/g)].map(match => match[1])
  assert.equal(links(first).length, 103)
  const words = wordsOf(first)
  assert.match(words, /Nothing is down\. 115 incidents ended in the last 7 days\./)
  assert.match(words, /Yesterday \w{3} \d+ Jan 2026 48/)
  assert.match(words, /5 checks went down at \d\d:\d\d/)
  assert.doesNotMatch(words, /Jan \d\d:\d\d/, 'the day is said by the heading alone')
  const next = /href="([^"]*after=[^"]*)" rel="next"/.exec(first)![1]!.replaceAll('&amp;', '&')
  const second = (await alice.get(next)).text
  assert.equal(new Set([...links(first), ...links(second)]).size, 115)
  assert.doesNotMatch(second, /rel="next"|data-live/)
  assert.match(wordsOf(second), /115 incidents ended/)
  assert.match(second, new RegExp(`href="${page}">Newest<`))
  assert.match(wordsOf((await alice.get(`${page}?after=1.1`)).text), /No older incidents/)
})

test('more open incidents than a page has are on several, and it says so', async () => {
  const pingKey = 'large'.padEnd(22, 'x')
  const own = await store.projects.create({
    name: 'Large',
    ownerId: alice.id,
    pingKey,
    now: world.clock.now(),
  })
  const over = await world.addCheck('Over', own.id)
  await world.send('GET', `/ping/${over}/fail`)
  await world.send('GET', `/ping/${over}`)
  const pings = Array.from({ length: 502 }, (_, n) => {
    world.clock.advance(300)
    const now = world.clock.now()
    return arrivedPing({ pingKey, slug: `job-${n}`, create: true }, now, { action: 'fail' })
  })
  for (let from = 0; from < pings.length; from += MOST_CREATED)
    await store.pings.record(pings.slice(from, from + MOST_CREATED))
  const path = `/projects/${own.uuid}/incidents/`
  const first = (await alice.get(path)).text
  const words = wordsOf(first)
  assert.match(
    words,
    /More than 500 incidents are open. Of the newest 500: 500 without integrations. 1 incident ended/,
  )
  assert.match(words, /Open Check .* job-501 .* job-2 .* Over/)
  assert.doesNotMatch(words, / job-1 /)
  const older = /href="([^"]+)">Older open ones/.exec(first)![1]!.replaceAll('&amp;', '&')
  const last = wordsOf((await alice.get(older)).text)
  assert.match(last, / job-1 .* job-0 .* Newest/)
  assert.doesNotMatch(last, / job-2 | Over | Older/)
  const onlyOpen = (await alice.get(`${path}?state=open`)).text
  assert.match(onlyOpen, /rel="next">\s*Older/)
})

test('a filter by name, tag, state and days leaves out the others', async () => {
  await goDown('Needle')
  assert.match((await alice.get(`${list}?search=nEEd`)).text, /Needle/)
  assert.doesNotMatch((await alice.get(`${list}?search=nEEd`)).text, /Still down/)
  assert.doesNotMatch((await alice.get(`${list}?state=closed`)).text, /Needle/)
  assert.match((await alice.get(`${list}?tag=none`)).text, /No incident matches/)
  assert.match((await alice.get(`${list}?search=%25`)).text, /No incident matches/)
})

test('a check that alerts nobody says so, with a link to change that', async () => {
  const own = await world.projectOf(alice, 'Alone')
  const uuid = await world.addCheck('Lonely', own.id)
  await world.send('GET', `/ping/${uuid}/fail`)
  const { text } = await alice.get(`/projects/${own.uuid}/incidents/`)
  assert.match(text, new RegExp(`href="/checks/${uuid}/details/#integrations">No integrations<`))
})

test('a filter by integration leaves out what was not sent to it, and is kept by the page', async () => {
  const own = await world.projectOf(alice, 'Filtered')
  const { uuid } = await store.channels.create({
    projectId: own.id,
    name: 'Ops chat',
    kind: 'webhook',
    settings: {},
    members: [],
    now: world.clock.now(),
  })
  const check = await world.addCheck('Not sent', own.id)
  await world.send('GET', `/ping/${check}/fail`)
  const page = `/projects/${own.uuid}/incidents/`
  const { text } = await alice.get(page)
  assert.match(text, /Not sent/)
  assert.match(text, new RegExp(`<option value="${uuid}">Sent to Ops chat</option>`))
  const filtered = (await alice.get(`${page}?channel=${uuid}`)).text
  assert.match(filtered, /No incident matches/)
  assert.match(filtered, new RegExp(`<option value="${uuid}" selected`))
  assert.match(filtered, new RegExp(`live/\\?channel=${uuid}`))
})

test('an incident’s page has its output, and the note of whoever acknowledged it', async () => {
  const page = await goDown('Disk', { body: 'no space left <b>' })
  const before = (await alice.get(page)).text
  assert.match(before, /no space left &lt;b&gt;/)
  assert.match(wordsOf(before), /Last output before it went down, just now/)
  assert.equal((await acknowledge(bob, [page], { note: 'on <it>', until: '1h' })).status, 303)
  const words = wordsOf((await alice.get(page)).text)
  assert.match(words, /Acknowledged by bob@example\.org until \d\d:\d\d ?: on &lt;it&gt;/)
  assert.match(words, /Remove acknowledgement/)
})

test('after a reopening, every page counts “down since” from when the check went down last', async () => {
  const own = await world.projectOf(alice, 'Reopened')
  const uuid = await world.addCheck('Twice', own.id)
  await world.send('GET', `/ping/${uuid}/fail`)
  world.clock.advance(1_800)
  await world.send('GET', `/ping/${uuid}`)
  world.clock.advance(300)
  await world.send('GET', `/ping/${uuid}/fail`)
  const downAt = new Date(world.clock.now()).toISOString()
  world.clock.advance(600)
  const page = `/projects/${own.uuid}/incidents/${await store.incidents.openIncident(uuid)}/`
  const list = `/projects/${own.uuid}/incidents/`
  for (const path of [
    `/projects/${own.uuid}/checks/`,
    `/checks/${uuid}/details/`,
    page,
    list,
    '/projects/',
  ]) {
    const { text } = await alice.get(path)
    assert.match(text, new RegExp(`datetime="${downAt}" data-elapsed="[^>]*>10 min<`), path)
  }
  assert.match(wordsOf((await alice.get(page)).text), /It first went down at .*, and came up in between\./)
})

test('an incident that a pause closed is not shown as up', async () => {
  const own = await world.projectOf(alice, 'Paused')
  const uuid = await world.addCheck('Stopped', own.id)
  await world.send('GET', `/ping/${uuid}/fail`)
  const page = `/projects/${own.uuid}/incidents/${await store.incidents.openIncident(uuid)}/`
  world.clock.advance(300)
  await alice.post(`/checks/${uuid}/pause/`, {})
  for (const path of [page, `/projects/${own.uuid}/incidents/`]) {
    const { text } = await alice.get(path)
    assert.match(text, /class="status status-paused"/, path)
    assert.doesNotMatch(text, /class="status status-up"/, path)
    assert.match(wordsOf(text), /closed: paused/i, path)
  }
  assert.match(wordsOf((await alice.get(page)).text), /Closed: paused The check was paused\./)
  assert.match(wordsOf((await alice.get(`/checks/${uuid}/details/`)).text), /5 min ?, closed: paused/)
})

test('an incident that can be acknowledged shows one field for a note, the other folded', async () => {
  const page = await goDown('One note')
  assert.match((await alice.get(page)).text, /<details class="note-more"><summary>Add a note without/)
  await acknowledge(alice, [page])
  assert.doesNotMatch((await alice.get(page)).text, /note-more/)
})

test('an acknowledgement is taken back, and notes are added', async () => {
  const page = await goDown('Taken back')
  await acknowledge(alice, [page])
  assert.equal((await bob.post(`${page}unacknowledge/`, {})).status, 303)
  await bob.post(`${page}notes/`, { note: '<script>alert(1)</script>' })
  const { text } = await alice.get(page)
  assert.match(wordsOf(text), /No longer acknowledged by bob@example\.org/)
  assert.match(text, /&lt;script&gt;alert/)
  assert.match(
    (await alice.post(`${page}notes/`, { note: ' ' })).status === 303 ? (await alice.get(page)).text : '',
    /The note is empty/,
  )
})

test('“until tomorrow 9:00” is nine o’clock where the user is', async () => {
  const page = await goDown('Tomorrow')
  await acknowledge(alice, [page], { until: 'tomorrow' })
  const { acknowledged } = await store.incidents.find(project.id, Number(idOf(page)), world.clock.now())
  assert.match(new Date(acknowledged!.until!).toISOString(), /T09:00:00/)
  assert.ok(acknowledged!.until! - world.clock.now() <= 33 * 3_600_000)
})

test('an incident of another project is not found under one’s own', async () => {
  const foreign = await goDown('Foreign', { projectId: world.charlies.id })
  const mine = `${list}${idOf(foreign)}/`
  assert.equal((await alice.get(mine)).status, 404)
  assert.equal((await alice.post(`${mine}notes/`, { note: 'x' })).status, 404)
  const asked = { incident: `${project.uuid}:${idOf(foreign)}` }
  assert.equal((await alice.post('/incidents/acknowledge/', asked)).status, 404)
})

test('outsiders see and change nothing; read-only members look only', async () => {
  const page = await goDown('Secret')
  for (const path of [list, page, `${list}live/`, `${page}live/`]) {
    assert.equal((await charlie.get(path)).status, 404, path)
    assert.equal((await world.stranger().get(path)).status, 302, path)
  }
  assert.equal((await acknowledge(charlie, [page])).status, 404)
  assert.equal((await charlie.post(`${page}notes/`, { note: 'x' })).status, 404)
  const shown = (await rita.get(page)).text
  assert.match(shown, /Not acknowledged\./)
  assert.doesNotMatch(shown, /Add note/)
  assert.equal((await acknowledge(rita, [page])).status, 403)
  assert.equal((await rita.post(`${page}unacknowledge/`, {})).status, 403)
  assert.equal((await rita.post(`${page}notes/`, { note: 'x' })).status, 403)
})

test('a form without its token acknowledges nothing', async () => {
  const page = await goDown('Forged')
  const { status } = await alice.post('/incidents/acknowledge/', { incident: chosen(page), csrf: 'no' })
  assert.equal(status, 403)
  assert.doesNotMatch((await alice.get(page)).text, /Acknowledged by/)
})

test('what is no incident, or none at all, is refused with a sentence', async () => {
  for (const [incident, words] of [
    ['', /not recognised|Choose at least one incident/],
    ['x:1', /not recognised/],
  ] as const) {
    await alice.post('/incidents/acknowledge/', { incident })
    assert.match((await alice.get('/incidents/')).text, words)
  }
})

test('the page of a check has its incidents, and the open one can be acknowledged there', async () => {
  const uuid = await world.addCheck('On its page')
  await world.send('GET', `/ping/${uuid}/fail`)
  const page = `/checks/${uuid}/details/`
  const { text } = await alice.get(page)
  assert.match(text, /id="check-incidents"/)
  const value = /name="incident" value="([^"]+)"/.exec(text)![1]!
  await alice.post('/incidents/acknowledge/', { incident: value, note: 'mine', until: 'up' })
  assert.match(wordsOf((await alice.get(page)).text), /Acknowledged by alice@example\.org: mine/)
})

test('the navigation has the number of open incidents', async () => {
  const own = await world.projectOf(alice, 'Counted')
  const uuid = await world.addCheck('One', own.id)
  await world.send('GET', `/ping/${uuid}/fail`)
  assert.match(
    (await alice.get(`/projects/${own.uuid}/checks/`)).text,
    /Incidents<span class="badge-down" data-problem-count="?"?[^>]*>1</,
  )
})
