/** T2 to T6 of the ground rules (decisions 0102 and 0115) over random histories of the plan alone. */
import { test } from 'node:test'
import fc from 'fast-check'
import { numRuns } from '../../../_support/histories/num-runs.js'
import { PlanWorld } from '../../../_support/histories/plan-world.js'
import { play } from '../../../_support/histories/play.js'
import {
  anyCosts,
  anyLinking,
  anyNight,
  anyRules,
  anyStep,
  INCIDENT_RULES,
} from '../../../_support/histories/steps.js'

test('channels are always sent the true status once, and never only the end of an incident', async () => {
  const history = fc.asyncProperty(
    anyRules,
    fc.array(anyStep, { minLength: 5, maxLength: 60 }),
    async (rules, steps) => {
      await play(new PlanWorld(rules), steps)
    },
  )
  await fc.assert(history, { numRuns: 1_000, includeErrorInReport: true })
})

test('changing links during sending leaves no incident open and none unsent', async () => {
  const steps = fc.array(anyLinking, { minLength: 5, maxLength: 40, size: 'max' })
  const history = fc.asyncProperty(steps, some => play(new PlanWorld(INCIDENT_RULES), some))
  await fc.assert(history, { numRuns: 1_000, includeErrorInReport: true })
})

test('with holds, acknowledgements, steps and repeats channels are sent the true status once', async () => {
  const steps = fc.array(anyNight, { minLength: 5, maxLength: 80, size: 'max' })
  const history = fc.asyncProperty(anyRules, fc.boolean(), steps, (rules, hasParents, some) =>
    play(new PlanWorld(rules, hasParents), some),
  )
  await fc.assert(history, { numRuns: numRuns(2_000, 100_000), includeErrorInReport: true })
})

test('each message that is counted pays for one that arrives, however often it is tried', async () => {
  const steps = fc.array(anyCosts, { minLength: 5, maxLength: 60, size: 'max' })
  const history = fc.asyncProperty(anyRules, steps, (rules, some) => play(new PlanWorld(rules), some))
  await fc.assert(history, { numRuns: numRuns(1_000, 100_000), includeErrorInReport: true })
})
