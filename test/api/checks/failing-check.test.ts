/** What versions 1 to 3 of the API say of a check that uses the settings of docs/runs.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, store, clock } = world
const change = (uuid: string, changes: object) =>
  store.checks.update(alice.projectId, uuid, { changes, now: clock.now() })

for (const version of [1, 2, 3]) {
  test(`version ${version}: a check that is failing and not yet down is up, with the keys it always had`, async () => {
    const plain = await world.check(alice)
    const { uuid } = await world.check(alice)
    await change(uuid, { failuresToAlert: 3, maxDurationSeconds: 60, trackRuns: 'each', earlySeconds: 60 })
    for (const which of [plain.uuid, uuid]) await world.get(`/ping/${which}/${which === uuid ? 'fail' : ''}`)
    const get = async (which: string) => (await world.get(`/api/v${version}/checks/${which}`, alice.rw)).json
    const [expected, failing] = [await get(plain.uuid), await get(uuid)]
    assert.equal(failing.status, 'up')
    assert.deepEqual(Object.keys(failing), Object.keys(expected))
    const flips = (await world.get(`/api/v${version}/checks/${uuid}/flips/`, alice.rw)).json
    assert.deepEqual(
      (flips.flips ?? flips).map((flip: { up: number }) => flip.up),
      [1],
    )
    await world.get(`/ping/${uuid}/fail`)
    await world.get(`/ping/${uuid}/fail`)
    assert.equal((await get(uuid)).status, 'down')
  })
}

test('the API of versions 1 to 3 does not set them', async () => {
  const { uuid } = await world.check(alice)
  const names = { failures_to_alert: 3, max_duration: 60, track_runs: 'each', tolerated: 'missed', early: 60 }
  const answer = await world.post(`/api/v3/checks/${uuid}`, alice.rw, names)
  assert.equal(answer.status, 200)
  const { check } = await store.checks.facts(alice.projectId, uuid, clock.now())
  assert.deepEqual(
    [check.failuresToAlert, check.maxDurationSeconds, check.trackRuns, check.tolerated, check.earlySeconds],
    [1, null, 'latest', 'failed', 0],
  )
})

test('others cannot change them', async () => {
  const { uuid } = await world.check(alice)
  const asked = { changes: { failuresToAlert: 3 }, now: clock.now() }
  await assert.rejects(store.checks.update(charlie.projectId, uuid, asked))
})
