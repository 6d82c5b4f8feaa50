/** The explanation of a check that has hundreds of channels and silences: each request for it takes the time of other reads. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000

/** A check that is down, with these channels, and silences of its project that end minute by minute. */
async function openScene(t: TestContext, { channels, silences }: { channels: number; silences: number }) {
  const scene = await StoreHarness.open(t)
  const { store, projectId, now } = scene
  await scene.ping('backup')
  for (let n = 0; n < channels; n++) await scene.addChannel(`C${n}`)
  for (let n = 0; n < silences; n++) {
    const times = { kind: 'once', from: now, to: now + (n + 1) * MINUTE } as const
    const asked = {
      mode: 'hold',
      scope: { project: true },
      channels: null,
      times,
      reason: `${n + 1}`,
    } as const
    await store.silences.create(projectId, { ...asked, createdBy: 'Alice', now })
  }
  await scene.ping('backup', 'fail')
  const [uuid] = await scene.checkUuids()
  return { scene, explain: async () => await store.incidents.explain(projectId, { uuid: uuid! }, scene.now) }
}

test('an explanation names the ten silences that hold a channel longest, of 200 channels five', async t => {
  const { scene, explain } = await openScene(t, { channels: 2, silences: 12 })
  const names = async () => (await explain()).channels.map(({ holds }) => holds.map(({ name }) => name))
  const longest = ['12', '11', '10', '9', '8', '7', '6', '5', '4', '3']
  assert.deepEqual(await names(), [longest, longest])
  for (let n = 2; n < 200; n++) await scene.addChannel(`C${n}`)
  assert.deepEqual(new Set((await names()).flat()), new Set(longest.slice(0, 5)))
  scene.now += 9 * MINUTE
  // In the order in which they were created when all of them are named.
  assert.deepEqual((await names())[0], ['10', '11', '12'])
})
