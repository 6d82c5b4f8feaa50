import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Change } from '../../../../src/core/alerts/delivery/change.js'
import type { CheckHold } from '../../../../src/core/alerts/delivery/hold.js'
import { planChannel } from '../../../../src/core/alerts/delivery/plan.js'
import type { ChannelState, Plan } from '../../../../src/core/alerts/delivery/plan-values.js'
import type { Due } from '../../../../src/core/alerts/delivery/reconcile.js'
import { NEWEST_KEPT, trimChanges } from '../../../../src/core/alerts/delivery/trim.js'
import { anyRules } from '../../../_support/histories/steps.js'

const NOW = Date.UTC(2026, 0, 15, 12)
const NONE = { from: null, down: 0, other: 0 }

const anyChange = fc.record({
  status: fc.constantFrom(
    'down' as const,
    'down' as const,
    'up' as const,
    'up' as const,
    'paused' as const,
    'deleted' as const,
  ),
  secondsAfter: fc.constantFrom(0, 1, 60, 1_000),
  attempts: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, 3),
  charged: fc.constantFrom(0, 0, 0, 0, 0, 0, 7, 8),
  heldBy: fc.constantFrom(null, 'flapping' as const, 'quota' as const, 'unreachable' as const),
  superseded: fc.constantFrom(0, 0, 0, 2),
  missed: fc.constantFrom(false, false, false, false, false, true),
  delayed: fc.constantFrom(false, false, false, true),
  waitedSeconds: fc.constantFrom(0, 0, 90_000),
  again: fc.constantFrom(null, null, null, null, null, null, 'step' as const, 'repeat' as const),
})

const anyChanges = fc.oneof(
  fc.array(anyChange, { minLength: 1, maxLength: 60 }),
  // Rarely is anything but held back: then what was missed hangs on few changes.
  fc.array(
    anyChange.map(change => ({
      ...change,
      attempts: 0,
      heldBy: 'flapping' as const,
      missed: false,
      delayed: false,
    })),
    { minLength: 12, maxLength: 40 },
  ),
)

const anySituation = fc.record({
  rules: anyRules,
  waiting: anyChanges,
  later: fc.array(anyChange, { maxLength: 3 }),
  reported: fc.constantFrom(null, 'an older incident', 'the last change'),
  flappingSeconds: fc.constantFrom(null, 0, 100, 5_000),
  afterSeconds: fc.constantFrom(0, 1, 901, 86_401),
  reachable: fc.constantFrom(true, true, true, false),
  hourUsed: fc.boolean(),
  isHeld: fc.constantFrom(false, false, true),
  isAcknowledged: fc.constantFrom(false, false, true),
})

const UNTRIED = {
  status: 'down' as const,
  secondsAfter: 0 as const,
  attempts: 0 as const,
  charged: 0 as const,
  heldBy: null,
  superseded: 0 as const,
  missed: false,
  delayed: false,
  waitedSeconds: 0 as const,
  again: null,
}

/** Down alerts that were not tried are missed, but not while a hold keeps them back. */
const UNTRIED_UNDER_A_SILENCE: Situation = {
  rules: { down: true, up: true, grouped: true, keepsOpen: false, hourly: 0, receiver: null },
  waiting: Array.from({ length: 12 }, () => UNTRIED),
  later: [],
  reported: null,
  flappingSeconds: null,
  afterSeconds: 0,
  reachable: true,
  hourUsed: false,
  isHeld: true,
  isAcknowledged: false,
}

/** What the channel does not want may have arrived too: that counts under a hold. */
const MISSED_THOUGH_UNWANTED: Situation = {
  ...UNTRIED_UNDER_A_SILENCE,
  waiting: [
    UNTRIED,
    { ...UNTRIED, status: 'paused', missed: true },
    ...Array.from({ length: 10 }, () => UNTRIED),
  ],
}

/** A delay is that of its own change: the newest down alert here was only ever held. */
const DELAYED_BEFORE_A_HELD_ONE: Situation = {
  ...UNTRIED_UNDER_A_SILENCE,
  rules: { ...UNTRIED_UNDER_A_SILENCE.rules, up: false },
  isHeld: false,
  waiting: [
    UNTRIED,
    { ...UNTRIED, missed: true, delayed: true },
    ...Array.from({ length: 7 }, () => UNTRIED),
    { ...UNTRIED, heldBy: 'flapping' },
    { ...UNTRIED, status: 'up' },
    { ...UNTRIED, status: 'up' },
  ],
}

const SILENCE: CheckHold = { reason: 'silence', until: NOW + 10 ** 9, name: '' }

type Situation = typeof anySituation extends fc.Arbitrary<infer Drawn> ? Drawn : never
type Drawn = Omit<Change, 'id' | 'flipId' | 'at' | 'createdAt'> & {
  secondsAfter: number
  waitedSeconds: number
}

function made(drawn: readonly Drawn[]): Change[] {
  let at = NOW
  return drawn.map(({ secondsAfter, waitedSeconds, ...change }, index) => {
    at += secondsAfter * 1_000
    const before = drawn.slice(0, index).findLastIndex(one => one.again === null && one.status === 'down')
    // What asks to send an incident once more names the flip that began it.
    if (change.again !== null && before >= 0) {
      const createdAt = at - waitedSeconds * 1_000
      return { ...change, status: 'down', id: index + 1, flipId: before + 1, at, createdAt }
    }
    return {
      ...change,
      again: null,
      id: index + 1,
      flipId: index + 1,
      at,
      createdAt: at - waitedSeconds * 1_000,
    }
  })
}

/** What is sent and held, with its counts, and what becomes of the changes in `kept`. */
function outcome(plan: Plan, kept: ReadonlySet<number>) {
  const counts = ({ change, ...due }: Due) => ({ ...due, id: change.id })
  return {
    ...plan,
    messages: plan.messages.map(message => ({ ...message, parts: message.parts.map(counts) })),
    holds: plan.holds
      .filter(({ id }) => kept.has(id))
      .map(({ due, ...hold }) => ({ ...hold, due: due && counts(due) })),
    drops: plan.drops.filter(({ id }) => kept.has(id)),
  }
}

test('trimming does not change what is sent and decided', () => {
  let trimmedRuns = 0
  const property = fc.property(anySituation, situation => {
    const { rules, waiting, later, reported, flappingSeconds, afterSeconds, reachable, hourUsed } = situation
    const { isHeld, isAcknowledged } = situation
    const all = made([...waiting, ...later])
    const trimmed = trimChanges(all.slice(0, waiting.length), rules)
    if (!trimmed) return
    trimmedRuns++
    const newest = all.at(-1)!
    const now = newest.at + afterSeconds * 1_000
    const hour = hourUsed ? { from: now - 1_000, down: 30, other: 30 } : NONE
    const channel: ChannelState = {
      rules,
      usable: 'yes',
      sent: { minute: NONE, hour },
      unreachableUntil: reachable ? null : now + 1,
      sending: { down: 0, other: 0 },
      receiver: { messages: 5, until: now },
      quota: { messages: Number.POSITIVE_INFINITY, until: now },
    }
    const planned = (changes: readonly Change[]) => {
      const check = {
        checkId: 7,
        changes,
        reported: reported === null ? null : { flipId: reported === 'the last change' ? newest.flipId! : 0 },
        flapping:
          flappingSeconds === null
            ? null
            : { reportedAt: NOW, changedAt: all[0]!.at - flappingSeconds * 1_000 },
        isDown: newest.status === 'down',
        isTarget: true,
        holds: isHeld ? [SILENCE] : [],
        overAt: null,
        outageUntil: null,
        isAcknowledged,
        history: [],
      }
      return planChannel(channel, { checks: [check], notices: [] }, { most: 5 }, now)
    }
    const few = [...trimmed.kept, ...all.slice(waiting.length)]
    const kept = new Set(few.map(({ id }) => id))
    assert.deepEqual(outcome(planned(few), kept), outcome(planned(all), kept))
  })
  fc.assert(property, {
    numRuns: 5_000,
    examples: [[UNTRIED_UNDER_A_SILENCE], [MISSED_THOUGH_UNWANTED], [DELAYED_BEFORE_A_HELD_ONE]],
    includeErrorInReport: true,
  })
  assert.ok(trimmedRuns > 500, `only ${trimmedRuns} of the histories were long enough`)
})

test('of untried changes, the oldest, the newest and the last one that was missed are kept', () => {
  const drawn = Array.from({ length: 1_000 }, (_, index) => ({
    status: index % 2 === 0 ? ('down' as const) : ('up' as const),
    secondsAfter: 1,
    attempts: index === 500 ? 1 : 0,
    charged: 0,
    heldBy: null,
    delayed: false,
    superseded: 0,
    missed: false,
    waitedSeconds: 0,
    again: null,
  }))
  const rules = { down: true, up: true, grouped: false, keepsOpen: false, hourly: 0, receiver: null }
  const { kept, summary } = trimChanges(made(drawn), rules)!
  const newest = Array.from({ length: NEWEST_KEPT }, (_, index) => 1_001 - NEWEST_KEPT + index)
  assert.deepEqual(
    kept.map(({ id }) => id),
    // 989 is the last down alert among the others.
    [1, 501, 989, ...newest],
  )
  assert.deepEqual(summary, kept.at(-1))
  assert.equal(summary!.superseded, 1_000 - kept.length)
  assert.equal(summary!.missed, false)
})
