/** T2 to T6 of the ground rules (decisions 0102 and 0115) over random histories, with the store that carries the plan out. */
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChannelRules } from '../../../src/core/alerts/delivery/channel-rules.js'
import type { PolicyRules } from '../../../src/core/incidents/policy.js'
import { numRuns } from '../../_support/histories/num-runs.js'
import { play } from '../../_support/histories/play.js'
import {
  anyCosts,
  anyLinking,
  anyNight,
  anyRegret,
  anyRules,
  anyRulesOfProject,
  anyStep,
  INCIDENT_RULES,
  type Step,
} from '../../_support/histories/steps.js'
import { StoreWorld } from '../../_support/histories/store-world.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const REPORT = { includeErrorInReport: true, endOnFailure: true }

/** Two processes take turns, and claim at the same moment. */
async function playOnStore(
  rules: ChannelRules,
  viaGroup: boolean,
  steps: readonly Step[],
  {
    policy = null,
    hasParents = false,
    losesReach = false,
  }: { policy?: PolicyRules | null; hasParents?: boolean; losesReach?: boolean } = {},
): Promise<void> {
  const fresh = await openFreshStore()
  const world = await StoreWorld.open(fresh, rules, viaGroup)
  try {
    await world.addProcess()
    world.hasParents = hasParents
    world.losesReach = losesReach
    if (policy) await world.usePolicy(policy)
    await play(world, steps)
  } finally {
    await world.close()
    await fresh.remove()
  }
}

test('the store carries out the plan: channels are sent the true status once', async () => {
  const steps = fc.array(anyStep, { minLength: 10, maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(anyRules, fc.boolean(), steps, (...values) => playOnStore(...values)),
    { ...REPORT, numRuns: numRuns(6, 12) },
  )
})

test('with silences, acknowledgements, steps and repeats channels are sent the true status once', async () => {
  const steps = fc.array(anyNight, { minLength: 10, maxLength: 60, size: 'max' })
  const history = fc.asyncProperty(anyRules, fc.boolean(), steps, (...values) => playOnStore(...values))
  await fc.assert(history, { ...REPORT, numRuns: numRuns(6, 1_000) })
})

test('with silences, dependencies and policies channels are sent the true status once', async () => {
  const steps = fc.array(anyNight, { minLength: 10, maxLength: 60, size: 'max' })
  const history = fc.asyncProperty(anyRules, fc.boolean(), steps, anyRulesOfProject, playOnStore)
  await fc.assert(history, { ...REPORT, numRuns: numRuns(6, 1_000) })
})

test('an unreachable channel is sent the true status once', async () => {
  const steps = fc.array(anyNight, { minLength: 10, maxLength: 60, size: 'max' })
  const history = fc.asyncProperty(
    anyRules,
    fc.boolean(),
    steps,
    anyRulesOfProject,
    (rules, viaGroup, some, more) => playOnStore(rules, viaGroup, some, { ...more, losesReach: true }),
  )
  await fc.assert(history, { ...REPORT, numRuns: numRuns(6, 1_000) })
})

test('each message that is counted pays for one that arrives, however often it is tried', async () => {
  const steps = fc.array(anyCosts, { minLength: 10, maxLength: 60, size: 'max' })
  const history = fc.asyncProperty(
    anyRules,
    fc.boolean(),
    steps,
    fc.boolean(),
    (rules, viaGroup, some, losesReach) => playOnStore(rules, viaGroup, some, { losesReach }),
  )
  await fc.assert(history, { ...REPORT, numRuns: numRuns(8, 1_000) })
})

test('with pauses and removed links that are undone channels are sent the true status once', async () => {
  const steps = fc.array(anyRegret, { minLength: 10, maxLength: 60, size: 'max' })
  const history = fc.asyncProperty(anyRules, fc.boolean(), steps, anyRulesOfProject, playOnStore)
  const runs = numRuns(6, 1_000)
  await fc.assert(history, { ...REPORT, numRuns: runs, ...(runs === 6 && { seed: 1 }) })
})

test('changing links during sending leaves no incident open and none unsent', async () => {
  const steps = fc.array(anyLinking, { minLength: 40, maxLength: 80, size: 'max' })
  const history = fc.asyncProperty(fc.boolean(), steps, (viaGroup, some) =>
    playOnStore(INCIDENT_RULES, viaGroup, some),
  )
  await fc.assert(history, { ...REPORT, numRuns: numRuns(6, 12) })
})

/** Histories that found mistakes. */
const FOUND: Record<string, Step[]> = {
  'an integration that was enabled while taken off a check that is down is alerted after the undo': [
    { do: 'disable' },
    { do: 'change', check: 2, to: 'down' },
    { do: 'wait', seconds: 61 },
    { do: 'undo', what: 'unlink', check: 2, during: [{ do: 'enable' }, { do: 'run', ok: true }] },
    { do: 'run', ok: true },
    { do: 'rest' },
  ],
  'so is one that was enabled while taken off, if the check is paused and the pause is undone': [
    { do: 'disable' },
    { do: 'change', check: 0, to: 'down' },
    { do: 'wait', seconds: 61 },
    { do: 'undo', what: 'unlink', check: 0, during: [{ do: 'enable' }] },
    { do: 'undo', what: 'pause', check: 0, during: [{ do: 'run', ok: true }] },
    { do: 'rest' },
  ],
  'an integration that was enabled while taken off a check is told that it recovered before': [
    { do: 'change', check: 0, to: 'down' },
    { do: 'run', ok: true },
    { do: 'disable' },
    { do: 'change', check: 0, to: 'up' },
    { do: 'wait', seconds: 61 },
    { do: 'undo', what: 'unlink', check: 0, during: [{ do: 'enable' }] },
    { do: 'rest' },
  ],
  'an integration that was enabled while a pause could be undone is alerted after the undo': [
    { do: 'group', enabled: false },
    { do: 'change', check: 3, to: 'down' },
    { do: 'undo', what: 'pause', check: 3, during: [{ do: 'group', enabled: true }] },
    { do: 'run', ok: true },
    { do: 'rest' },
  ],
  'nothing is owed to an integration whose group was disabled before something was undone': [
    { do: 'change', check: 0, to: 'down' },
    { do: 'run', ok: true },
    {
      do: 'undo',
      what: 'unlink',
      check: 0,
      during: [
        { do: 'group', enabled: false },
        { do: 'run', ok: true },
      ],
    },
    { do: 'rest' },
  ],
  'nor when a pause was undone': [
    { do: 'change', check: 0, to: 'down' },
    { do: 'run', ok: true },
    {
      do: 'undo',
      what: 'pause',
      check: 0,
      during: [
        { do: 'group', enabled: false },
        { do: 'run', ok: true },
      ],
    },
    { do: 'rest' },
  ],
}

for (const [name, steps] of Object.entries(FOUND)) {
  test(name, async () => {
    const people: ChannelRules = { ...INCIDENT_RULES, grouped: true, keepsOpen: false }
    for (const rules of [people, INCIDENT_RULES]) await playOnStore(rules, true, steps)
  })
}

const ONCE_MORE: PolicyRules = { steps: [{ after: 0, channels: 'check' }], repeat: { every: 300, times: 10 } }

test('a pause that is undone begins no policy for an integration that was linked while the check was down', async () => {
  const steps: Step[] = [
    { do: 'unlink', check: 0 },
    { do: 'change', check: 0, to: 'down' },
    { do: 'link', check: 0 },
    { do: 'undo', what: 'pause', check: 0, during: [] },
    { do: 'acknowledge', check: 0 },
    { do: 'disable' },
    { do: 'enable' },
    { do: 'rest' },
  ]
  await playOnStore(INCIDENT_RULES, false, steps, { policy: ONCE_MORE })
})

test('an alert about an acknowledged check that goes down again is sent when a removed link is restored', async () => {
  const steps: Step[] = [
    { do: 'change', check: 2, to: 'down' },
    { do: 'run', ok: true },
    { do: 'acknowledge', check: 2 },
    { do: 'change', check: 2, to: 'up' },
    { do: 'run', ok: true },
    { do: 'undo', what: 'unlink', check: 2, during: [{ do: 'change', check: 2, to: 'down' }] },
    { do: 'rest' },
  ]
  for (const policy of [null, ONCE_MORE]) await playOnStore(INCIDENT_RULES, true, steps, { policy })
})

test('an alert that may have arrived and is held now is tried again as soon as its check recovers', async () => {
  const steps: Step[] = [
    { do: 'change', check: 0, to: 'down' },
    { do: 'run', ok: false },
    { do: 'hold', check: 0 },
    { do: 'wait', seconds: 5 },
    { do: 'run', ok: true },
    { do: 'change', check: 0, to: 'up' },
    { do: 'run', ok: true },
    { do: 'rest' },
  ]
  await playOnStore({ ...INCIDENT_RULES, up: false, grouped: true, keepsOpen: false }, false, steps)
})
