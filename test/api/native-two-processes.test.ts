/** Requests to Punctual's own API while another process writes at the same moment. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deleteProject } from '../../src/actions/projects/delete-project.js'
import { NATIVE_PREFIX } from '../../src/http/native/native-routes.js'
import { openWorld } from '../_support/worlds/world.js'

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
