/** `?duration=`: how long a run took by the client's clock. See docs/runs.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()
const { alice, store, clock } = world

async function limitedCheck() {
  const { uuid } = await world.check(alice, { timeout: 3600, grace: 600 })
  const changes = { minDurationSeconds: 60 }
  await store.checks.update(alice.projectId, uuid, { changes, now: clock.now() })
  return uuid
}

const after = async (uuid: string, query: string) => {
  const answer = await world.get(`/ping/${uuid}${query}`)
  assert.deepEqual([answer.status, answer.text], [200, 'OK'])
  const { json } = await world.get(`/api/v3/checks/${uuid}`, alice.rw)
  return [json.status, json.last_duration]
}

test('a success that took less than it may is a failure', async () => {
  assert.deepEqual(await after(await limitedCheck(), '?duration=12.5'), ['down', 12])
})

test('the last duration of a URL counts, and one as long as it has to be is a success', async () => {
  assert.deepEqual(await after(await limitedCheck(), '?duration=1&duration=60'), ['up', 60])
})

test('named test 17: a short job near its min_duration is judged by what the client measured', async () => {
  const uuid = await limitedCheck()
  const run = async (betweenPings: number, query: string) => {
    await world.get(`/ping/${uuid}/start`)
    clock.advance(betweenPings)
    return await after(uuid, query)
  }
  assert.deepEqual(await run(59, '?duration=60.2'), ['up', 60])
  assert.deepEqual(await run(61, '?duration=59.9'), ['down', 59])
  assert.deepEqual(await run(60, ''), ['up', 60])
  assert.deepEqual(await run(59.999, ''), ['down', 59])
})

for (const wrong of ['', 'abc', '-5', '1e3', 'Infinity', '0x10', '2592001', '1,5', ' 5']) {
  test(`what is no duration is ignored: "${wrong}"`, async () => {
    assert.deepEqual(await after(await limitedCheck(), `?duration=${encodeURIComponent(wrong)}`), [
      'up',
      undefined,
    ])
  })
}

test('a start and a log have no duration', async () => {
  const uuid = await limitedCheck()
  assert.deepEqual(await after(uuid, '/start?duration=5'), ['new', undefined])
  assert.deepEqual(await after(uuid, '/log?duration=5'), ['new', undefined])
})

test('a check without limits answers as if it had not been sent', async () => {
  const { uuid } = await world.check(alice)
  assert.deepEqual(await after(uuid, '?duration=5'), ['up', undefined])
})
