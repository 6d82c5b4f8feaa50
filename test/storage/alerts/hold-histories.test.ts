/** T1 and T6 of decision 0115 over random histories: what holds and restarts leave as it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChannelRules } from '../../../src/core/alerts/delivery/channel-rules.js'
import type { PolicyRules } from '../../../src/core/incidents/policy.js'
import { numRuns } from '../../_support/histories/num-runs.js'
import { playCalm } from '../../_support/histories/play-calm.js'
import {
  anyQuietRegrets,
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
    regrets,
    viaGroup = false,
  }: {
    policy?: PolicyRules | null
    withoutHolds?: boolean
    restarts?: boolean
    /** Whether what is undone is done before. Set where channels are compared too, in the end. */
    regrets?: boolean
    viaGroup?: boolean
  },
) {
  const fresh = await openFreshStore()
  try {
    const world = await StoreWorld.open(fresh, rules, viaGroup)
    world.hasParents = true
    world.withoutHolds = withoutHolds
    if (policy) await world.usePolicy(policy)
    for (const check of CHECKS) await world.change(check, 'up')
    const toTheEnd = regrets !== undefined
    const sent = await playCalm(world, steps, { restarts, regrets: regrets ?? true, toTheEnd })
    return { sent, shown: await world.shown(), ...(toTheEnd && { reported: await world.reported() }) }
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
  const history = fc.asyncProperty(anyRules, fc.boolean(), anyQuietRegrets, anyRulesOfProject, leavesNothing)
  const runs = numRuns(15, 1_000)
  // These few find the mistakes that decision 0149 mends.
  await fc.assert(history, { ...REPORT, numRuns: runs, ...(runs === 15 && { seed: 13 }) })
})

/** The same happens, whether what is undone is done before or not. */
async function leavesNothing(
  rules: ChannelRules,
  viaGroup: boolean,
  steps: readonly QuietStep[],
  { policy }: { policy: PolicyRules | null },
): Promise<void> {
  const undone = await played(rules, steps, { policy, viaGroup, regrets: true })
  const never = await played(rules, steps, { policy, viaGroup, regrets: false })
  assert.deepEqual(withoutFlipIds(undone), withoutFlipIds(never))
}

/** PostgreSQL uses up IDs of flips that are deleted. */
function withoutFlipIds({ sent, ...others }: Awaited<ReturnType<typeof played>>) {
  return { ...others, sent: sent.map(line => line.replaceAll(/"flip":\d+/g, '"flip":0')) }
}
