import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  counted,
  escalate,
  firstLook,
  isPlainPolicy,
  type Look,
} from '../../../src/core/incidents/escalation.js'
import { NO_POLICY, type PolicyRules } from '../../../src/core/incidents/policy.js'
import { lengthOf, type Span, within, without } from '../../../src/core/time/spans.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Long enough for everything that the histories below can delay. */
const END = 400 * HOUR

interface World {
  policy: PolicyRules
  concerns: boolean[]
  held: Span[]
  acknowledged: { from: number; to: number } | null
  /** When nothing looks. */
  away: Span[]
  /** Further instants at which something looks: restarts. */
  looks: number[]
}

interface Sent {
  at: number
  what: 'step' | 'repeat'
}

/** Plays an incident that opens at 0, until nothing is left to do. */
function play({ policy, concerns, held, acknowledged, away, looks }: World): Sent[] {
  const sent: Sent[] = []
  let { progress, lookAt } = firstLook(policy, concerns, 0)
  const extra = [...looks, ...(acknowledged ? [acknowledged.from] : [])].sort((a, b) => a - b)
  for (let now = 0, passes = 0; now < END; passes++) {
    assert.ok(passes < 10_000)
    if (extra.length === 0 && lookAt === null) break
    const isExtra = extra.length > 0 && extra[0]! <= (lookAt ?? END)
    now = Math.max(now, isExtra ? extra.shift()! : lookAt!)
    now = away.find(({ from, to }) => from <= now && now < to)?.to ?? now
    const isKnown = acknowledged !== null && acknowledged.from <= now
    const look: Look = {
      progress,
      concerns,
      heldMs: () => {
        const spans = counted({ progress, acknowledged: isKnown ? acknowledged : null }, now)
        return lengthOf(spans.flatMap(span => held.flatMap(one => within(one, span) ?? [])))
      },
      heldUntil: held.find(({ from, to }) => from <= now && now < to)?.to ?? null,
      acknowledged: isKnown ? acknowledged : null,
    }
    const escalation = escalate(policy, look, now)
    if (escalation.add) sent.push({ at: now, what: escalation.add })
    assert.ok(escalation.lookAt === null || escalation.lookAt >= now)
    progress = escalation.progress
    lookAt = escalation.lookAt
  }
  return sent
}

const policies: fc.Arbitrary<PolicyRules> = fc.record({
  steps: fc
    .array(fc.constantFrom(0, 60, 600, 900, 3_600), { minLength: 1, maxLength: 4 })
    .map(afters => afters.sort((a, b) => a - b).map(after => ({ after, channels: ['x'] }))),
  repeat: fc.option(
    fc.record({ every: fc.constantFrom(300, 1_800, 3_600), times: fc.integer({ min: 1, max: 6 }) }),
  ),
})

function spans(most: number): fc.Arbitrary<Span[]> {
  const parts = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 3 * HOUR }), fc.integer({ min: 1, max: 2 * HOUR })),
    {
      maxLength: most,
    },
  )
  return parts.map(pairs => {
    let at = 0
    return pairs.map(([gap, length]) => {
      const from = at + gap
      at = from + length
      return { from, to: at }
    })
  })
}

const worlds: fc.Arbitrary<World> = policies.chain(policy =>
  fc.record({
    policy: fc.constant(policy),
    concerns: fc.array(fc.boolean(), { minLength: policy.steps.length, maxLength: policy.steps.length }),
    held: spans(5),
    acknowledged: fc.option(
      fc
        .tuple(fc.integer({ min: 0, max: 5 * HOUR }), fc.integer({ min: 1, max: 5 * HOUR }))
        .map(([from, length]) => ({ from, to: from + length })),
    ),
    away: spans(4),
    looks: fc.array(fc.integer({ min: 0, max: 20 * HOUR }), { maxLength: 20 }),
  }),
)

const RUNS = { numRuns: 3_000 }

/** What a channel is sent in the end if nobody acknowledges. */
function all({ policy: { steps, repeat }, concerns }: World): Sent['what'][] {
  const afters = new Set(steps.filter((_, index) => concerns[index]).map(({ after }) => after))
  const repeats = afters.size > 0 ? (repeat?.times ?? 0) : 0
  // The flip carries out the steps at once.
  afters.delete(0)
  return [...Array(afters.size).fill('step'), ...Array(repeats).fill('repeat')]
}

test('whatever holds, and however long nothing runs, each step and repeat is sent once and in order', () => {
  fc.assert(
    fc.property(worlds, world => {
      const sent = play({ ...world, acknowledged: null })
      assert.deepEqual(
        sent.map(({ what }) => what),
        all(world),
      )
    }),
    RUNS,
  )
})

test('a restart changes neither what is sent nor when', () => {
  fc.assert(
    fc.property(worlds, world => {
      assert.deepEqual(play({ ...world, away: [] }), play({ ...world, away: [], looks: [] }))
    }),
    RUNS,
  )
})

test('nothing is sent under a hold or while the incident is acknowledged', () => {
  fc.assert(
    fc.property(worlds, world => {
      const quiet = [...world.held, ...(world.acknowledged ? [world.acknowledged] : [])]
      for (const { at } of play(world)) {
        assert.ok(!quiet.some(({ from, to }) => from <= at && at < to))
      }
    }),
    RUNS,
  )
})

test('time under a hold or an acknowledgement does not count towards a step or a repeat', () => {
  fc.assert(
    fc.property(worlds, world => {
      const { policy, concerns, held, acknowledged } = world
      const gaps = [...held, ...(acknowledged ? [acknowledged] : [])].sort((a, b) => a.from - b.from)
      const clock = (at: number) => lengthOf(without([{ from: 0, to: at }], gaps))
      const afters = policy.steps
        .filter(({ after }, index) => after > 0 && concerns[index])
        .map(({ after }) => after * 1000)
      const steps = play(world).filter(({ what }) => what === 'step')
      const due = [...new Set(afters)]
      for (const [index, { at }] of steps.entries()) {
        if (world.away.length > 0) assert.ok(clock(at) >= due[index]!)
        else assert.equal(clock(at), due[index])
      }
    }),
    RUNS,
  )
})

test('two repeats are at least as far apart as the policy says, without the held time', () => {
  fc.assert(
    fc.property(worlds, world => {
      const clock = (at: number) => lengthOf(without([{ from: 0, to: at }], world.held))
      const repeats = play({ ...world, acknowledged: null }).filter(({ what }) => what === 'repeat')
      repeats.slice(1).forEach(({ at }, index) => {
        assert.ok(clock(at) - clock(repeats[index]!.at) >= world.policy.repeat!.every * 1000)
      })
    }),
    RUNS,
  )
})

const plain: World = {
  policy: NO_POLICY,
  concerns: [true],
  held: [],
  acknowledged: null,
  away: [],
  looks: [],
}

test('without a policy nothing is sent after the down alert', () => {
  assert.equal(isPlainPolicy(NO_POLICY), true)
  assert.deepEqual(play(plain), [])
})

test('at the end of an acknowledgement one repeat is sent, with and without a policy', () => {
  const acknowledged = { from: 10 * MINUTE, to: 70 * MINUTE }
  assert.deepEqual(play({ ...plain, acknowledged }), [{ at: 70 * MINUTE, what: 'repeat' }])
  const policy = { ...NO_POLICY, repeat: { every: 1_200, times: 2 } }
  assert.deepEqual(play({ ...plain, policy, acknowledged }), [
    { at: 70 * MINUTE, what: 'repeat' },
    { at: 90 * MINUTE, what: 'repeat' },
    { at: 110 * MINUTE, what: 'repeat' },
  ])
})

test('that repeat waits for the end of a hold', () => {
  const world = { ...plain, acknowledged: { from: 0, to: HOUR }, held: [{ from: 30 * MINUTE, to: 2 * HOUR }] }
  assert.deepEqual(play(world), [{ at: 2 * HOUR, what: 'repeat' }])
})

test('a channel that no step has reached is sent nothing at the end of an acknowledgement', () => {
  const policy: PolicyRules = { steps: [{ after: 900, channels: ['x'] }], repeat: null }
  const acknowledged = { from: 10 * MINUTE, to: 60 * MINUTE }
  assert.deepEqual(play({ ...plain, policy, acknowledged }), [{ at: 65 * MINUTE, what: 'step' }])
})

test('steps at the same time alert a channel once', () => {
  const steps = [
    { after: 0, channels: 'check' as const },
    { after: 0, channels: ['x'] },
    { after: 60, channels: ['x'] },
  ]
  const world = { ...plain, policy: { steps, repeat: null }, concerns: [true, true, true] }
  assert.deepEqual(play(world), [{ at: MINUTE, what: 'step' }])
})

test('a step that comes anew before those that are over is done for a channel that was not alerted', () => {
  const steps = [10, 20].map(after => ({ after, channels: ['x'] }))
  const look = {
    progress: { clockMs: 25_000, clockAt: 0, steps: 0, repeats: 0 },
    heldMs: () => 0,
    heldUntil: null,
  }
  const due = (concerns: boolean[], done: number) => {
    const progress = { ...look.progress, steps: done }
    return escalate({ steps, repeat: null }, { ...look, progress, concerns, acknowledged: null }, 0).add
  }
  assert.equal(due([true, false], 0), 'step')
  assert.equal(due([false, true], 1), null)
})
