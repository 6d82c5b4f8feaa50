/** Requests to Punctual's own API while another process writes at the same moment. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deleteProject } from '../../src/actions/projects/delete-project.js'
import { NATIVE_PREFIX } from '../../src/http/native/native-routes.js'
import { eventually } from '../_support/eventually.js'
import { openWorld, type Request } from '../_support/worlds/world.js'

const world = await openWorld()
const { store, clock } = world
const other = await world.openAnother()
after(() => other.close())

test('of two processes with the same Idempotency-Key at once, one carries the request out', async () => {
  for (let count = 0; count < 20; count++) {
    const request = { caller: 'caller', key: `key ${count}`, request: 'POST /checks {}', now: clock.now() }
    const begun = await Promise.all([store, other].map(one => one.projects.beginApiRequest(request)))
    assert.deepEqual(begun.map(({ is }) => is).sort(), ['begun', 'running'])
    await other.projects.endApiRequest(request, 'the answer')
    for (const one of [store, other]) {
      assert.deepEqual(await one.projects.beginApiRequest(request), { is: 'done', answer: 'the answer' })
    }
  }
})

test('a key that another process used for another request is refused', async () => {
  const request = { caller: 'caller', key: 'twice', request: 'POST /checks {}', now: clock.now() }
  const different = { ...request, request: 'POST /silences {}' }
  const [mine, theirs] = await Promise.all([
    store.projects.beginApiRequest(request),
    other.projects.beginApiRequest(different),
  ])
  assert.deepEqual([mine.is, theirs.is].sort(), ['begun', 'other'])
})

test('a batch beside the deletion of its project leaves nothing, and every operation is answered', async () => {
  const owner = await store.people.createUser({
    email: 'owner@example.org',
    passwordHash: null,
    emailProven: true,
    now: clock.now(),
  })
  for (let round = 0; round < 2; round++) {
    const { projectId, rw } = await world.account('Short-lived', owner.id)
    const operations = Array.from({ length: 40 }, (_, number) => ({
      op: 'create',
      check: { name: `Check ${number}` },
    }))
    const [replies] = await Promise.all([
      Promise.all(
        [1, 2].map(() =>
          world.send('POST', `${NATIVE_PREFIX}/checks:batch`, { key: rw, body: { operations } }),
        ),
      ),
      deleteProject(other, { projectId, ownerId: owner.id }),
    ])
    for (const { status, json, text } of replies) {
      assert.ok([200, 401, 404].includes(status), text)
      for (const result of json.results ?? []) assert.ok(result.status < 500, JSON.stringify(result))
    }
    const left = await world.raw(`SELECT count(*) AS n FROM checks WHERE project_id = ${projectId}`)
    assert.equal(Number(left[0]!.n), 0)
  }
})

test('of two processes that change a resource with the same ETag, one does', async () => {
  const { rw } = await world.account('Shared')
  const token = (await world.token({ projectId: (await world.account('Tokens')).projectId, role: 'manager' }))
    .token
  const root = await world.serveOn(other)
  const paths: [string, Request, object, object][] = [
    ['/checks', { key: rw }, { name: 'Check' }, { name: 'Changed' }],
    [
      '/policies',
      { headers: { Authorization: `Bearer ${token}` } },
      { name: 'Policy', steps: [{ after: 0, channels: 'check' }] },
      { name: 'Changed' },
    ],
  ]
  for (const [path, as, body, change] of paths) {
    const made = (await world.send('POST', NATIVE_PREFIX + path, { ...as, body })).json
    const one = `${NATIVE_PREFIX}${path}/${made.uuid ?? made.id}`
    for (let round = 0; round < 10; round++) {
      const etag = (await world.send('GET', one, as)).headers.get('etag')!
      const replies = await Promise.all(
        [world.root, root, world.root, root].map((root, number) =>
          world.send('PATCH', one, {
            ...as,
            root,
            headers: { ...as.headers, 'If-Match': etag },
            body: { ...change, name: `Round ${round} of ${number}` },
          }),
        ),
      )
      const statuses = replies.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [200, 412, 412, 412], replies.map(({ text }) => text).join())
    }
  }
})

test('the change of a process that died holds up others for a minute only', async t => {
  const account = await world.account('Abandoned')
  const path = `${NATIVE_PREFIX}/checks/${(await world.check(account)).uuid}`
  const begin = t.mock.method(store.projects, 'beginApiRequest')
  const change = { key: account.rw, headers: { 'If-Match': '*' }, body: { name: 'Changed' } }
  assert.equal((await world.send('PATCH', path, change)).status, 200)
  const [turn] = begin.mock.calls[0]!.arguments
  assert.equal((await other.projects.beginApiRequest(turn)).is, 'begun')
  const before = begin.mock.callCount()
  const waiting = world.send('PATCH', path, change)
  await eventually(() => begin.mock.callCount() > before + 1)
  clock.advance(61)
  assert.equal((await waiting).status, 200)
})
