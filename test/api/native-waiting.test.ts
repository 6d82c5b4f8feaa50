/** Requests to Punctual's own API that have to wait are carried out only if they would be admitted when their turn comes. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NATIVE_PREFIX } from '../../src/http/native/native-routes.js'
import { Turns } from '../../src/storage/turns.js'
import { behindTurns } from '../_support/behind-turns.js'
import { eventually } from '../_support/eventually.js'
import { operations, requestOf, type Shown, tokens, world } from '../_support/native/examples.js'

const { alice, bob, project, store, clock } = world

/** Much longer than a look at what a caller may do counts, in ms: on a busy machine requests arrive late. */
const LONG = 1_000

/** The answers that wait for no turn: to what writes nothing, and to creations, which share a transaction (test/storage/postgres/lost-access.test.ts). */
const WITHOUT_TURNS = ['createCheck 201', 'batchChecks 200', 'planConfig 200']

const isConditional = ({ operation }: Shown) =>
  operation.parameters?.some(parameter => 'name' in parameter && parameter.name === 'If-Match')

test('a change with If-Match that waits is refused once its token is revoked, for every operation', async t => {
  const turns = holdChanges(t)
  const asked = operations.filter(isConditional)
  assert.ok(asked.length > 10)
  const sent = await Promise.all(asked.map(shown => send(shown, world.root, { 'If-Match': '*' })))
  // Changes of the same resource wait for each other first.
  const resources = new Set(asked.map(shown => new URL(requestOf(shown).url!).pathname))
  await eventually(() => turns.waiting().size === resources.size)
  await revokeAll(sent)
  turns.release()
  assert.deepEqual(await carriedOut(sent), [])
})

test('a change with If-Match that waits is refused once its author has left the project', async t => {
  const turns = holdChanges(t)
  const left = await world.person('left')
  await store.projects.putMember({
    projectId: project.id,
    userId: left.id,
    role: 'member',
    now: clock.now(),
  })
  const { token } = await world.token({ userId: left.id })
  const check = await world.addCheck('Kept')
  const path = `${NATIVE_PREFIX}/checks/${check}?project=${project.uuid}`
  const headers = { Authorization: `Bearer ${token}`, 'If-Match': '*' }
  const deleted = world.send('DELETE', path, { headers })
  await eventually(() => turns.waiting().size === 1)
  await store.projects.removeMember(project.id, left.uuid, clock.now())
  turns.release()
  assert.equal((await deleted).status, 404)
  assert.ok(await store.checks.facts(project.id, check, clock.now()))
})

test('changes with If-Match of their own accounts do not wait for those of others', async t => {
  const turns = holdChanges(t)
  const sent = [alice, bob].map(async ({ id }) => {
    const { token } = await world.token({ userId: id })
    const headers = { Authorization: `Bearer ${token}`, 'If-Match': '*' }
    return await world.send('PATCH', `${NATIVE_PREFIX}/me`, { headers, body: { theme: 'dark' } })
  })
  await eventually(() => turns.waiting().size === 2)
  turns.release()
  assert.deepEqual(
    (await Promise.all(sent)).map(({ status }) => status),
    [200, 200],
  )
})

test('of one person, at most a hundred changes with If-Match wait', async t => {
  const turns = holdChanges(t)
  const { token } = await world.token({ userId: alice.id })
  const headers = { Authorization: `Bearer ${token}`, 'If-Match': '*' }
  const change = () => world.send('PATCH', `${NATIVE_PREFIX}/me`, { headers, body: { theme: 'dark' } })
  const sent = Array.from({ length: 102 }, change)
  const first = await Promise.race(sent)
  assert.equal(first.status, 429)
  assert.equal(first.headers.get('retry-after'), '1')
  turns.release()
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  assert.equal(statuses.filter(status => status === 200).length, 101, 'the first does not wait')
  assert.equal((await change()).status, 200)
})

test('changes with If-Match of different resources do not wait for each other, however many', async t => {
  const turns = holdChanges(t)
  const { token } = await world.token({ userId: alice.id })
  const headers = { Authorization: `Bearer ${token}`, 'If-Match': '*' }
  const uuids = await Promise.all(Array.from({ length: 120 }, (_, n) => world.addCheck(`Check ${n}`)))
  const sent = uuids.map(uuid =>
    world.send('PATCH', `${NATIVE_PREFIX}/checks/${uuid}?project=${project.uuid}`, {
      headers,
      body: { desc: 'Changed' },
    }),
  )
  await eventually(() => turns.waiting().size === uuids.length)
  turns.release()
  assert.deepEqual(new Set((await Promise.all(sent)).map(({ status }) => status)), new Set([200]))
})

test('what waits for its turn to write is refused once its token is revoked, for every operation', async () => {
  const turns = new Turns({ inAll: Number.POSITIVE_INFINITY, perKey: 1 })
  const root = await world.serveOn(behindTurns(store, turns))
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const hold = turns.of('write', () => gate)
  const asked = operations.filter(({ method }) => method !== 'GET')
  const sent = await Promise.all(
    asked.map(shown =>
      send(shown, root, {}, uuid => {
        void hold.call({ actor: { kind: 'token', id: uuid, name: '', address: '127.0.0.1' } })
      }),
    ),
  )
  await sleep(LONG)
  await revokeAll(sent)
  // So that no look from before counts, however late the last request was admitted.
  await sleep(LONG)
  open()
  assert.deepEqual(await carriedOut(sent), WITHOUT_TURNS)
})

interface Sent {
  operation: string
  userId: number
  uuid: string
  answer: ReturnType<typeof world.send>
}

/** Sends the example of an operation with a token of its own, which `onToken` is told of before. */
async function send(
  shown: Shown,
  root: string,
  more: object,
  onToken?: (uuid: string) => void,
): Promise<Sent> {
  const { method = 'GET', url, token, body } = requestOf(shown)
  const { id: userId } = token === tokens.bob ? bob : alice
  const own = await world.token({ userId })
  onToken?.(own.uuid)
  const headers = { Authorization: `Bearer ${own.token}`, ...more }
  const path = url!.slice(world.root.length)
  const answer = world.send(method, path, { root, headers, ...(body === undefined ? {} : { body }) })
  return { operation: shown.operation.operationId, userId, uuid: own.uuid, answer }
}

async function revokeAll(sent: readonly Sent[]): Promise<void> {
  for (const { userId, uuid } of sent) await store.projects.revokeApiToken({ userId }, uuid, clock.now())
  world.changes.emit('access', {})
}

/** What was not refused for the token, with its answer. */
async function carriedOut(sent: readonly Sent[]): Promise<string[]> {
  const answers = await Promise.all(
    sent.map(async ({ operation, answer }) => ({ operation, ...(await answer) })),
  )
  return answers
    .filter(({ status }) => status !== 401)
    .map(({ operation, status }) => `${operation} ${status}`)
}

/** Lets changes with If-Match wait, as if another process made one of the same resource, until they are released. */
function holdChanges(t: TestContext) {
  const begin = store.projects.beginApiRequest
  const waiting = new Set<string>()
  let isHeld = true
  t.mock.method(store.projects, 'beginApiRequest', async (...[asked]: Parameters<typeof begin>) => {
    if (!isHeld || asked.caller !== 'If-Match') return await begin.call(store.projects, asked)
    waiting.add(asked.key)
    return { is: 'running' }
  })
  return {
    /** The names of what they change. */
    waiting: (): ReadonlySet<string> => waiting,
    release: () => {
      isHeld = false
    },
  }
}
