/** Streams of live pages cost the server work for as long as they are open: there are few, and they end with the right. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { LiveStreams } from '../../../src/http/web/live/live-streams.js'
import { LiveTurns, restAfter } from '../../../src/http/web/live/live-turns.js'
import { SESSION_COOKIE } from '../../../src/http/web/people/session.js'
import { turnsUntil } from '../../_support/pass-time.js'
import { listenLive } from '../../_support/servers/live-stream.js'
import { openWebWorld, PASSWORD, type Person } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, project, clock } = world
const list = `/projects/${project.uuid}/checks/live/`
const listen = (person: Person, path = list) => listenLive(world.root, person, path)

/** Somebody who may look at Alice's project. */
async function reader(name: string): Promise<Person> {
  const person = await world.person(name)
  await store.projects.putMember({
    projectId: project.id,
    userId: person.id,
    role: 'readonly',
    now: clock.now(),
  })
  return person
}

/** A stream that goes on ends by itself after five minutes; only a failing test waits this long. */
const WITHIN_MS = 120_000

/** Resolves when a stream has ended, whatever it sends before; rejects if it goes on. */
async function end(stream: Awaited<ReturnType<typeof listen>>): Promise<void> {
  const giveUp = AbortSignal.timeout(WITHIN_MS)
  giveUp.addEventListener('abort', () => stream.close())
  await assert.rejects(async () => {
    for (;;) await stream.event()
  }, /the stream ended/)
  assert.equal(giveUp.aborted, false, 'the stream went on')
}

test('a person has at most ten streams, and another when one has ended', async () => {
  const asked = await Promise.all(Array.from({ length: 30 }, () => listen(world.rita)))
  const streams = asked.filter(({ response }) => response.status === 200)
  assert.equal(streams.length, 10)
  assert.equal(asked.filter(({ response }) => response.status === 429).length, 20)
  assert.equal((await listen(world.rita, '/live/')).response.status, 429)
  const other = await listen(world.bob)
  assert.equal(other.response.status, 200)
  other.close()
  streams[0]!.close()
  let again = await listen(world.rita)
  // The server hears of the end a moment later.
  while (again.response.status === 429) again = await listen(world.rita)
  assert.equal(again.response.status, 200)
  for (const stream of [...streams, again]) stream.close()
})

test('a process has a limit for everybody together', () => {
  const streams = new LiveStreams({ mostOfOne: 2, most: 3 })
  const leave = streams.open(1, 0)
  assert.ok(leave && streams.open(1, 0))
  assert.equal(streams.open(1, 0), null)
  assert.ok(streams.open(2, 0))
  assert.equal(streams.open(3, 0), null)
  leave()
  leave()
  assert.ok(streams.open(3, 0))
  assert.equal(streams.open(2, 0), null)
})

test('a person opens twenty streams at once, and then five a second', () => {
  const streams = new LiveStreams()
  const opened = (userId: number, now: number) => {
    const leave = streams.open(userId, now)
    leave?.()
    return leave !== null
  }
  for (let n = 0; n < 20; n++) assert.ok(opened(1, 0))
  assert.equal(opened(1, 0), false)
  assert.ok(opened(2, 0))
  const later = Array.from({ length: 100 }, (_, n) => opened(1, 1_000 + n * 10))
  assert.equal(later.filter(Boolean).length, 10)
})

test('a stream is refused only after a second', async () => {
  const person = await reader('impatient')
  const streams = await Promise.all(Array.from({ length: 10 }, () => listen(person)))
  const begunAt = performance.now()
  assert.equal((await listen(person)).response.status, 429)
  assert.ok(performance.now() - begunAt > 990)
  for (const stream of streams) stream.close()
})

test('streams begin one at a time, and pages are made in the meantime', async () => {
  const person = await reader('parallel')
  const { checks } = store as unknown as { checks: { list: (...args: unknown[]) => Promise<unknown> } }
  const read = checks.list
  let [reading, most] = [0, 0]
  let go = () => {}
  const held = new Promise<void>(resolve => (go = resolve))
  checks.list = async (...args) => {
    most = Math.max(most, ++reading)
    await held
    reading--
    return await read.apply(checks, args)
  }
  const asked = [0, 1, 2].map(() => listen(person))
  await turnsUntil(() => reading > 0)
  await new Promise(resolve => setTimeout(resolve, 100))
  assert.equal(most, 1)
  assert.equal((await person.get('/projects/')).status, 200)
  checks.list = read
  go()
  for (const stream of await Promise.all(asked)) stream.close()
})

test('all streams together look at the database fifty times a second', () => {
  const streams = new LiveStreams()
  const turns = Array.from({ length: 400 }, () => streams.waitForLook(1_000))
  assert.equal(turns[0], 0)
  assert.equal(turns[399], 7_980)
  assert.equal(streams.waitForLook(10_000), 0)
})

test('a stream rests four times as long as its look took, also if something is written', async () => {
  const turns = new LiveTurns({ waitForLook: () => 0 }, { everyMs: 1, apartMs: 1 })
  await turns.next()
  const begunAt = performance.now()
  await new Promise(resolve => setTimeout(resolve, 100))
  const lookedFor = performance.now() - begunAt
  turns.nudge()
  await turns.next()
  const waited = performance.now() - begunAt - lookedFor
  assert.ok(waited >= 4 * lookedFor - 10, `${waited} ms`)
  // A page that hears nothing for eight seconds considers itself disconnected.
  assert.equal(restAfter(60_000), 5_000)
})

test('a stream ends at once when its session is signed out, and others stay', async () => {
  const [leaver, stayer] = [await reader('leaver'), await reader('stayer')]
  const [ended, open] = [await listen(leaver), await listen(stayer)]
  await leaver.post('/accounts/logout/')
  await end(ended)
  await open.event()
  const uuid = await world.addCheck('After the end')
  await world.send('GET', `/ping/${uuid}/fail`)
  assert.ok((await open.event()).elements)
  open.close()
})

test('streams of another browser end when it is signed out from the account page', async () => {
  const person = await reader('roamer')
  const stream = await listen(person, '/live/')
  const visitor = { ua: 'other', address: '127.0.0.1' }
  const user = (await store.people.findUser(person.email))!
  const token = await beginSession(store, clock, { user, method: 'password', visitor })
  const elsewhere = world.stranger()
  elsewhere.cookies.set(SESSION_COOKIE, token)
  await elsewhere.post('/accounts/sessions/revoke/')
  await end(stream)
})

// Streams end after five minutes anyway.
test('streams of other browsers end when the address of the account changes', {
  timeout: 60_000,
}, async () => {
  const person = await reader('mover')
  const elsewhere = world.stranger()
  await elsewhere.signIn(person.email, PASSWORD)
  const stream = await listenLive(world.root, elsewhere, '/live/')
  await person.post('/accounts/email/', { email: 'moved@example.org' })
  await end(stream)
})

for (const [name, path] of [
  ['the list', list],
  ['the log', `/projects/${project.uuid}/log/live/`],
] as const) {
  test(`the stream of ${name} ends at once when its reader is removed from the project`, async () => {
    const person = await reader(`removed from ${name}`.replaceAll(' ', '-'))
    const stream = await listen(person, path)
    await world.alice.post(`/projects/${project.uuid}/members/${person.uuid}/remove/`)
    await end(stream)
  })
}

test('what another process took away counts within five seconds', async () => {
  const uuid = await world.addCheck('Watched')
  const [removed, ended] = [await reader('removed-elsewhere'), await reader('ended-elsewhere')]
  const streams = [await listen(removed, `/checks/${uuid}/live/`), await listen(ended, '/live/')]
  await store.projects.removeMember(project.id, removed.uuid, 1)
  await store.people.closeSessions(ended.id, null)
  clock.advance(5)
  await Promise.all(streams.map(end))
})
