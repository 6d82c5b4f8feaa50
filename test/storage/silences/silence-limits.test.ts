/** How many silences and windows a project can have, on each engine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_WINDOWS_A_DAY } from '../../../src/core/silences/limits.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000

function asked(scene: StoreHarness, schedule: string, durationSeconds = 60) {
  return {
    mode: 'hold' as const,
    scope: { project: true as const },
    channels: null,
    times: { kind: 'cron' as const, schedule, tz: 'UTC', durationSeconds, from: null },
    reason: 'Night',
    createdBy: 'Alice',
    now: scene.now,
  }
}

test('the windows of a project have a limit, of those that are not over together', async t => {
  const scene = await StoreHarness.open(t)
  const { silences } = scene.store
  const first = await silences.create(scene.projectId, asked(scene, '*/2 * * * *'))
  // 720 a day are there.
  await assert.rejects(silences.create(scene.projectId, asked(scene, '*/2 * * * *')), {
    code: 'limit',
    message: new RegExp(`${MOST_WINDOWS_A_DAY} windows a day; this one has 720, and 280 are left`),
  })
  const second = await silences.create(scene.projectId, asked(scene, '*/6 * * * *'))
  // Those that touch are one, so this has one a day.
  await silences.create(scene.projectId, asked(scene, '* * * * *'))
  const change = { times: asked(scene, '*/5 * * * *').times, now: scene.now }
  await assert.rejects(silences.update(scene.projectId, second.id, change), { code: 'limit' })
  // What makes them no more is no matter of the limit.
  await silences.update(scene.projectId, first.id, { reason: 'Day', now: scene.now })
  await silences.end(scene.projectId, first.id, scene.now)
  scene.now += MINUTE
  await silences.update(scene.projectId, second.id, { ...change, now: scene.now })
})

test('silences of another project do not count', async t => {
  const scene = await StoreHarness.open(t)
  const given = { name: 'Other', ownerId: null, pingKey: null, now: scene.now }
  const other = await scene.store.projects.create(given)
  await scene.store.silences.create(other.id, asked(scene, '*/2 * * * *'))
  await scene.store.silences.create(scene.projectId, asked(scene, '*/2 * * * *'))
})
