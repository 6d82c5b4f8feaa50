import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LiveStream, listenLive } from '../../_support/servers/live-stream.js'
import { openWebWorld, type Person } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { project, clock, store } = world

const listen = (person: Person, path: string): Promise<LiveStream> => listenLive(world.root, person, path)

const versionOf = (text: string) => /data-version="([^"]+)"/.exec(text)![1]!

test('a row arrives when its check is pinged, with the line above the list', async () => {
  const quiet = await world.addCheck('Quiet')
  const pinged = await world.addCheck('Pinged')
  const path = `/projects/${project.uuid}/checks/`
  const page = await world.alice.get(path)
  const stream = await listen(world.alice, `${path}live/`)
  const { headers } = stream.response
  assert.equal(headers.get('Content-Type'), 'text/event-stream')
  assert.equal(headers.get('Cache-Control'), 'no-store')
  assert.equal(headers.get('X-Accel-Buffering'), 'no')
  const first = await stream.event()
  assert.equal(first.version, versionOf(page.text), 'nothing happened between the page and its stream')

  await world.send('GET', `/ping/${pinged}/fail`)
  const change = await stream.event()
  assert.equal(change.problems, 1)
  assert.match(change.elements.summary!, /1 of 2 checks is down/)
  assert.match(change.elements[`c-${pinged}`]!, /class="check is-down"/)
  assert.equal(change.elements[`c-${quiet}`], undefined)
  assert.equal(change.version, versionOf((await world.alice.get(path)).text))
  stream.close()
})

test('a row arrives when another process writes, and when time alone makes a check late', async () => {
  const uuid = await world.addCheck('Late')
  const path = `/projects/${project.uuid}/checks/`
  const stream = await listen(world.bob, `${path}live/`)
  await stream.event()
  await store.checks.pause(project.id, uuid, clock.now())
  assert.match((await stream.event()).elements[`c-${uuid}`]!, /is-paused/)
  await world.send('GET', `/ping/${uuid}`)
  assert.match((await stream.event()).elements[`c-${uuid}`]!, /is-up/)
  clock.advance(86_400)
  assert.match((await stream.event()).elements[`c-${uuid}`]!, /is-grace/)
  stream.close()
})

test('the page of a check gets its state, its figures and its runs, and the log its events', async () => {
  const uuid = await world.addCheck('Watched')
  const page = await world.rita.get(`/checks/${uuid}/details/`)
  const stream = await listen(world.rita, `/checks/${uuid}/live/`)
  assert.equal((await stream.event()).version, versionOf(page.text))
  const log = await world.rita.get(`/checks/${uuid}/log/`)
  const logged = await listen(world.rita, `/checks/${uuid}/log/live/`)
  assert.equal((await logged.event()).version, versionOf(log.text))
  await world.send('POST', `/ping/${uuid}`, { body: 'all done' })
  const { elements } = await stream.event()
  assert.match(elements.state!, /Up\./)
  assert.match(elements['run-list']!, /all done/)
  assert.ok(elements.figures)
  assert.match((await logged.event()).elements.timeline!, /all done/)
  logged.close()
  stream.close()
})

test('the overview gets a row when something happens in a project', async () => {
  const stream = await listen(world.charlie, '/live/')
  await stream.event()
  const uuid = await world.addCheck('His', world.charlies.id)
  await world.send('GET', `/ping/${uuid}/fail`)
  let change = await stream.event()
  if (change.problems === 0) change = await stream.event()
  assert.match(change.elements[`p-${world.charlies.uuid}`]!, /is-down/)
  assert.match(change.elements['down-now']!, /His[\s\S]*The job reported a failure/)
  assert.deepEqual(Object.keys(change.elements).sort(), [
    'down-now',
    'first-check',
    `p-${world.charlies.uuid}`,
    'summary',
  ])
  stream.close()
})

test('the page of a check gets its charts and its settings too', async () => {
  const uuid = await world.addCheck('Charted')
  const stream = await listen(world.alice, `/checks/${uuid}/live/`)
  await stream.event()
  await world.send('GET', `/ping/${uuid}/start`)
  await world.send('GET', `/ping/${uuid}`)
  let { elements } = await stream.event()
  if (!elements.durations!.includes('<svg')) elements = (await stream.event()).elements
  assert.match(elements.durations!, /How long the last 1 timed runs took/)
  assert.match(elements.days!, /The last 90 days/)
  const channel = await addHook('Pager')
  const next = await stream.event()
  assert.match(next.elements.integrations!, /Pager/)
  assert.match(next.elements.integrations!, /aria-pressed="true"/)
  await world.bob.get(`/checks/${uuid}/details/`)
  await world.bob.post(`/checks/${uuid}/channels/${channel.uuid}/enabled`, { state: 'off' })
  assert.match((await stream.event()).elements.integrations!, /aria-pressed="false"/)
  stream.close()
})

test('an edit of what a check is reaches a page of it that is open elsewhere', async () => {
  const uuid = await world.addCheck('Edited')
  const stream = await listen(world.alice, `/checks/${uuid}/live/`)
  await stream.event()
  const edits: [form: Record<string, string>, shown: RegExp][] = [
    [{ desc: 'Copies the ledger' }, /Copies the ledger/],
    [{ methods: 'POST' }, /Only POST requests count/],
    [{ filter_body: 'true', failure_kw: 'panic' }, /looked for in bodies of e-mails/],
    [{ manual_resume: 'true' }, /Once paused it waits to be resumed/],
  ]
  for (const [form, shown] of edits) {
    await world.bob.get(`/checks/${uuid}/edit/`)
    const fields = { name: 'Edited', kind: 'simple', period: '1 day', grace: '1 hour', ...form }
    const saved = await world.bob.post(`/checks/${uuid}/edit/`, fields)
    assert.equal(saved.status, 303)
    assert.match((await stream.event()).elements.about!, shown)
  }
  stream.close()
})

test('the limit above the runs appears with the first run, and follows the settings', async () => {
  const uuid = await world.addCheck('Limited')
  const stream = await listen(world.alice, `/checks/${uuid}/live/`)
  await stream.event()
  await world.send('GET', `/ping/${uuid}`)
  assert.match((await stream.event()).elements['runs-help']!, /A run may take 1 hour\./)
  await store.checks.update(project.id, uuid, { changes: { maxDurationSeconds: 3 }, now: clock.now() })
  assert.match((await stream.event()).elements['runs-help']!, /A run may take 3 seconds\./)
  stream.close()
})

test('the list of integrations, each one’s page and the log get what happens', async () => {
  const channel = await addHook('Doorbell')
  const pages = [`/projects/${project.uuid}/integrations/`, `/integrations/${channel.uuid}/`]
  const log = `/projects/${project.uuid}/log/`
  const streams = []
  for (const path of [...pages, log]) {
    const page = await world.alice.get(path)
    const stream = await listen(world.alice, `${path}live/`)
    assert.equal((await stream.event()).version, versionOf(page.text))
    streams.push(stream)
  }
  await fail(channel)
  const [list, one, events] = await Promise.all(streams.map(stream => stream.event()))
  assert.match(list!.elements.channels!, /Doorbell[\s\S]*refused/)
  assert.match(one!.elements['channel-state']!, /refused/)
  assert.match(one!.elements['channel-log']!, /refused/)
  assert.ok(events!.elements.log)
  const uuid = await world.addCheck('Logged')
  await streams[2]!.event()
  await world.send('GET', `/ping/${uuid}/fail`)
  assert.match((await streams[2]!.event()).elements.log!, /Logged/)
  for (const stream of streams) stream.close()
})

test('the navigation warns where nobody is alerted, or where sending failed', async () => {
  const project = await world.projectOf(world.alice, 'Silent')
  const page = `/projects/${project.uuid}/checks/`
  assert.match((await world.alice.get(page)).text, /no integrations, so no one is alerted/)
  const channel = await addHook('Works', project.id)
  assert.doesNotMatch((await world.alice.get(page)).text, /warning-mark/)
  await fail(channel)
  assert.match((await world.alice.get(page)).text, /warning-mark[\s\S]*one is failing/)
})

/** Makes it look as if a test through a channel had failed. */
async function fail(channel: { id: number; uuid: string }): Promise<void> {
  const startedAt = clock.now()
  const { id: channelId, uuid } = channel
  await store.channels.noteTest({
    channelId,
    uuid,
    status: 'down',
    error: 'refused',
    startedAt,
    durationMs: 5,
  })
}

async function addHook(name: string, projectId = project.id) {
  return await store.channels.create({
    projectId,
    name,
    kind: 'webhook',
    settings: {},
    members: [],
    now: clock.now(),
  })
}

test('streams end when the process is about to end', async () => {
  const stream = await listen(world.alice, '/live/')
  await stream.event()
  world.changes.emit('closing', {})
  await assert.rejects(stream.event(), /the stream ended/)
})

test('a browser gets the numbers of all its projects in one stream, an outsider only its own', async () => {
  const uuid = await world.addCheck('Counted', world.charlies.id)
  const [his, hers] = [
    await listen(world.charlie, '/problems/live/'),
    await listen(world.rita, '/problems/live/'),
  ]
  const before = (await his.event()).down!
  assert.deepEqual(Object.keys(before), [world.charlies.uuid])
  assert.deepEqual(Object.keys((await hers.event()).down!), [project.uuid])
  await world.send('GET', `/ping/${uuid}/fail`)
  assert.equal((await his.event()).down![world.charlies.uuid], before[world.charlies.uuid]! + 1)
  his.close()
  hers.close()
  const { status } = await world.stranger().get('/problems/live/')
  assert.equal(status, 302)
})

test('the order of a list is sent when a run begins to take long', async () => {
  const own = await world.projectOf(world.alice, 'Long runs')
  const [one, two] = [await world.addCheck('One', own.id), await world.addCheck('Two', own.id)]
  const stream = await listen(world.alice, `/projects/${own.uuid}/checks/live/`)
  await stream.event()
  await world.send('GET', `/ping/${two}/start`)
  assert.equal((await stream.event()).order, undefined)
  clock.advance(31 * 60)
  assert.deepEqual((await stream.event()).order, [`c-${two}`, `c-${one}`])
  stream.close()
})

test('the order of a list is sent when a check begins or ends to be down', async () => {
  const own = await world.projectOf(world.alice, 'Ordered')
  const [one, two] = [await world.addCheck('One', own.id), await world.addCheck('Two', own.id)]
  const stream = await listen(world.alice, `/projects/${own.uuid}/checks/live/`)
  await stream.event()
  await world.send('GET', `/ping/${two}`)
  assert.equal((await stream.event()).order, undefined)
  await world.send('GET', `/ping/${two}/fail`)
  assert.deepEqual((await stream.event()).order, [`c-${two}`, `c-${one}`])
  stream.close()
  const filtered = await listen(world.alice, `/projects/${own.uuid}/checks/live/?status=down`)
  await filtered.event()
  await world.send('GET', `/ping/${one}/fail`)
  assert.equal((await filtered.event()).anew, true, 'another check belongs to the page')
  filtered.close()
})

test('the streams of pages end at once for a member whose role is changed', async () => {
  const uuid = await world.addCheck('Shared with Rita')
  const base = `/projects/${project.uuid}`
  const paths = [
    `${base}/checks/live/`,
    '/checks/live/',
    `/checks/${uuid}/live/`,
    `${base}/silences/live/`,
    `${base}/incidents/live/`,
  ]
  const streams = await Promise.all(paths.map(path => listen(world.rita, path)))
  for (const stream of streams) await stream.event()
  const role = `${base}/members/${world.rita.uuid}/role/`
  assert.equal((await world.alice.post(role, { role: 'member' })).status, 303)
  for (const stream of streams) await assert.rejects(stream.event(), /the stream ended/)
  const again = await listen(world.rita, `/checks/${uuid}/live/`)
  await world.send('GET', `/ping/${uuid}`)
  await again.event()
  again.close()
  await world.alice.post(role, { role: 'readonly' })
})
