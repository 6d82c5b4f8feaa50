/** T1 and T6 of decision 0115 over random histories: what holds and restarts leave as it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChannelRules } from '../../../src/core/alerts/delivery/channel-rules.js'
import type { PolicyRules } from '../../../src/core/incidents/policy.js'
import { numRuns } from '../../_support/histories/num-runs.js'
import { playCalm } from '../../_support/histories/play-calm.js'
import {
  anyQuietRegret,
  anyQuietStep,
  anyRules,
  anyRulesOfProject,
  type QuietStep,
} from '../../_support/histories/steps.js'
import { StoreWorld } from '../../_support/histories/store-world.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const REPORT = { includeErrorInReport: true, endOnFailure: true, numRuns: numRuns(5, 1_000) }
const CHECKS = [0, 1, 2, 3]

/** Plays a history on a store of its own. */
async function played(
  rules: ChannelRules,
  steps: readonly QuietStep[],
  {
    policy = null,
    withoutHolds = false,
    restarts = false,
    regrets = true,
  }: { policy?: PolicyRules | null; withoutHolds?: boolean; restarts?: boolean; regrets?: boolean },
) {
  const fresh = await openFreshStore()
  try {
    const world = await StoreWorld.open(fresh, rules, false)
    world.hasParents = true
    world.withoutHolds = withoutHolds
    if (policy) await world.usePolicy(policy)
    for (const check of CHECKS) await world.change(check, 'up')
    return { sent: await playCalm(world, steps, { restarts, regrets }), shown: await world.shown() }
  } finally {
    await fresh.remove()
  }
}

const anySteps = fc.array(anyQuietStep, { minLength: 10, maxLength: 50, size: 'max' })

test('T1: holds change no flip, status, log, incident, metric or badge', async () => {
  const history = fc.asyncProperty(
    anyRules,
    anySteps,
    anyRulesOfProject,
    async (rules, steps, { policy }) => {
      const held = await played(rules, steps, { policy })
      const free = await played(rules, steps, { policy, withoutHolds: true })
      assert.deepEqual(held.shown, free.shown)
    },
  )
  await fc.assert(history, REPORT)
})

test('T6: a process that ends and starts again sends the same at the same times', async () => {
  const history = fc.asyncProperty(
    anyRules,
    anySteps,
    anyRulesOfProject,
    async (rules, steps, { policy }) => {
      const restarted = await played(rules, steps, { policy, restarts: true })
      const running = await played(rules, steps, { policy })
      assert.deepEqual(restarted, running)
    },
  )
  await fc.assert(history, REPORT)
})

test('what is done on a page and undone is as if it had never been done', async () => {
  const steps = fc.array(anyQuietRegret, { minLength: 10, maxLength: 50, size: 'max' })
  const history = fc.asyncProperty(anyRules, steps, anyRulesOfProject, async (rules, some, { policy }) => {
    const undone = await played(rules, some, { policy })
    const never = await played(rules, some, { policy, regrets: false })
    assert.deepEqual(withoutFlipIds(undone), withoutFlipIds(never))
  })
  await fc.assert(history, REPORT)
})

/** PostgreSQL uses up IDs of flips that are deleted. */
function withoutFlipIds({ sent, shown }: Awaited<ReturnType<typeof played>>) {
  return { sent: sent.map(line => line.replaceAll(/"flip":\d+/g, '"flip":0')), shown }
}
