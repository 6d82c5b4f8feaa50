/** T1 and T6 of decision 0115 over random histories: what holds and restarts leave as it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChannelRules } from '../../../src/core/alerts/delivery/channel-rules.js'
import { numRuns } from '../../_support/histories/num-runs.js'
import { playCalm } from '../../_support/histories/play-calm.js'
import { anyQuietStep, anyRules, type QuietStep } from '../../_support/histories/steps.js'
import { StoreWorld } from '../../_support/histories/store-world.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const REPORT = { includeErrorInReport: true, endOnFailure: true, numRuns: numRuns(5, 1_000) }
const CHECKS = [0, 1, 2, 3]

/** Plays a history on a store of its own. */
async function played(
  rules: ChannelRules,
  steps: readonly QuietStep[],
  { withoutHolds = false, restarts = false },
) {
  const fresh = await openFreshStore()
  try {
    const world = await StoreWorld.open(fresh, rules, false)
    world.hasParents = true
    world.withoutHolds = withoutHolds
    for (const check of CHECKS) await world.change(check, 'up')
    return { sent: await playCalm(world, steps, { restarts }), shown: await world.shown() }
  } finally {
    await fresh.remove()
  }
}

const anySteps = fc.array(anyQuietStep, { minLength: 10, maxLength: 50, size: 'max' })

test('T1: holds change no flip, status, log, incident, metric or badge', async () => {
  const history = fc.asyncProperty(anyRules, anySteps, async (rules, steps) => {
    const held = await played(rules, steps, {})
    const free = await played(rules, steps, { withoutHolds: true })
    assert.deepEqual(held.shown, free.shown)
  })
  await fc.assert(history, REPORT)
})

test('T6: a process that ends and starts again sends the same at the same times', async () => {
  const history = fc.asyncProperty(anyRules, anySteps, async (rules, steps) => {
    const restarted = await played(rules, steps, { restarts: true })
    const running = await played(rules, steps, {})
    assert.deepEqual(restarted, running)
  })
  await fc.assert(history, REPORT)
})
