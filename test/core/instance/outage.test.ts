import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  belongTogether,
  heldUpTo,
  holdAt,
  isHeld,
  joined,
  type Outage,
  outageOf,
  outageWithin,
} from '../../../src/core/instance/outage.js'

const S = 1_000
const M = 60 * S
const T = 1_800_000_000_000
const MAX_HOLD = 10 * M

const outage = (from: number, to: number) => outageOf({ from, to }, MAX_HOLD)

test('a hold is as long as its outage, at least 30 seconds and at most the limit', () => {
  assert.equal(outage(T, T + S).holdUntil, T + 31 * S)
  assert.equal(outage(T, T + 2 * M).holdUntil, T + 4 * M)
  assert.equal(outage(T, T + 300 * M).holdUntil, T + 310 * M)
  assert.equal(outageOf({ from: T, to: T + S }, 4 * S).holdUntil, T + 5 * S)
})

test('an outage of one instant has a length', () => {
  assert.deepEqual(outage(T, T), { startedAt: T, endedAt: T + 1, holdUntil: T + 1 + 30 * S, partial: false })
})

test('an outage holds from its beginning until its hold ends', () => {
  const hold = (at: number) => holdAt([outage(T, T + 2 * M)], at, MAX_HOLD)
  assert.deepEqual(hold(T + 3 * M), { from: T, until: T + 4 * M })
  assert.equal(hold(T + 4 * M), null)
})

test('an outage within the hold of another extends it backwards', () => {
  const two = [outage(T, T + 2 * M), outage(T + 3 * M, T + 4 * M)]
  assert.deepEqual(holdAt(two, T + 4 * M + S, MAX_HOLD), { from: T, until: T + 5 * M })
})

test('an outage whose hold had ended does not extend it', () => {
  const two = [outage(T, T + M), outage(T + 9 * M, T + 10 * M)]
  assert.deepEqual(holdAt(two, T + 10 * M, MAX_HOLD), { from: T + 9 * M, until: T + 11 * M })
})

test('repeated short trouble holds no deadline longer than the limit', () => {
  const moments = Array.from({ length: 100 }, (_, n) => outage(T + n * 20 * S, T + n * 20 * S + S))
  const now = moments.at(-1)!.endedAt
  const { from, until } = holdAt(moments, now, MAX_HOLD)!
  assert.equal(until, now + 30 * S)
  assert.ok(from > now - 12 * M && from < now - 9 * M, `held since ${(now - from) / S} s ago`)
})

test('a ping due, or within its grace time, during an outage may have been missed', () => {
  const away = outage(T, T + 2 * M)
  const expected: [string, number, number, boolean][] = [
    ['due and given up within it', T + S, T + 2 * S, true],
    ['due before, awaited into it', T - M, T + 1, true],
    ['due before, given up before it', T - M, T, false],
    ['due within, awaited beyond it', T + 2 * M - 1, T + 5 * M, true],
    ['due when it was over', T + 2 * M, T + 5 * M, false],
  ]
  for (const [name, dueAt, deadline, missed] of expected) {
    assert.equal(outageWithin([away], dueAt, deadline), missed ? away : null, name)
  }
})

test('outages of one process hold no deadline longer than the limit beside another', () => {
  // A process that crashes again and again beside one that is well.
  const long = outageOf({ from: T, to: T + 60 * M, partial: true }, MAX_HOLD)
  const now = long.endedAt
  assert.deepEqual(holdAt([long], now, MAX_HOLD), { from: now - MAX_HOLD, until: now + MAX_HOLD })
  const before = outageOf({ from: T - 5 * M, to: T + M, partial: true }, MAX_HOLD)
  assert.equal(holdAt([before, long], now, MAX_HOLD)!.from, now - MAX_HOLD)
})

test('an outage of all processes is held completely, also beside one of a single process', () => {
  const all = outage(T, T + 30 * M)
  const one = outageOf({ from: T + 29 * M, to: T + 31 * M, partial: true }, MAX_HOLD)
  assert.equal(holdAt([all, one], T + 31 * M, MAX_HOLD)!.from, T)
})

test('what is held of an outage of one process does not change when the hold of one of all within it ends', () => {
  // As one web process is cut off for 40 seconds, and the database hangs from the 12th to the 30th.
  const limit = 14 * S
  const one = outageOf({ from: T, to: T + 40 * S, partial: true }, limit)
  const all = outageOf({ from: T + 12 * S, to: T + 30 * S }, limit)
  assert.deepEqual([one.holdUntil, all.holdUntil], [T + 54 * S, T + 44 * S])
  for (const after of [41, 43, 45, 53]) {
    const hold = { from: T + 8 * S, until: one.holdUntil }
    assert.deepEqual(holdAt([one, all], T + after * S, limit), hold, `after ${after} s`)
  }
  const heardInAll = { ...all, heardMs: 5 * S }
  assert.equal(holdAt([one, heardInAll], T + 45 * S, limit)!.from, T + 26 * S)
  const both = [all, outageOf({ from: T + 2 * S, to: T + 10 * S }, limit)]
  assert.equal(holdAt([one, ...both], T + 45 * S, limit)!.from, T)
})

/** What is on record after one more outage. */
function withOutage(outages: readonly Outage[], one: Outage): Outage[] {
  const known = outages.filter(other => belongTogether(one, other))
  return [...outages.filter(other => !known.includes(other)), joined([one, ...known])]
}

test('moments of trouble less than two seconds apart are one outage, of a minute at most', () => {
  let outages: Outage[] = []
  for (let n = 0; n < 300; n++) outages = withOutage(outages, outage(T + n * S, T + n * S + 100))
  assert.ok(outages.length >= 5 && outages.length <= 6, `${outages.length}`)
  assert.equal(outages[0]!.heardMs, 59 * 900)
})

test('refusals while others are recorded are one outage, however long they last', () => {
  let outages: Outage[] = []
  for (let n = 0; n < 300; n++) {
    outages = withOutage(outages, outageOf({ from: T + n * S, to: T + n * S + 100, partial: true }, MAX_HOLD))
  }
  assert.equal(outages.length, 1)
})

test('no deadline waits longer than twice the limit while pings are recorded', () => {
  let state = 1
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const limit = 15 * S
  let held = 0
  for (let history = 0; history < 60; history++) {
    // From hardly any trouble to hardly anything else.
    const [longest, widest, share] = [1 + random() ** 3 * 40 * S, 1 + random() ** 3 * 10 * S, random()]
    const deaf: { from: number; to: number }[] = []
    let outages: Outage[] = []
    let now = T
    while (now < T + 2 * M) {
      const [from, to] = [Math.ceil(now), Math.ceil(now + 1 + random() * longest)]
      const partial = random() < share
      outages = withOutage(outages, outageOf({ from, to, partial }, limit))
      if (!partial) deaf.push({ from, to })
      const gap = 1 + random() * widest
      for (const at of [to, to + gap / 2, to + gap]) {
        const hold = holdAt(outages, at, limit)
        // The deadline that has waited longest.
        if (!hold || at >= hold.until) continue
        held++
        const deafMs = deaf.reduce((sum, one) => sum + Math.max(0, one.to - Math.max(one.from, hold.from)), 0)
        const heardMs = at - hold.from - deafMs
        assert.ok(heardMs <= 2 * limit, `history ${history}: ${heardMs} ms`)
      }
      now = to + gap
    }
  }
  assert.ok(held > 1_000)
})

test('outages of different parts of the checks are not joined', () => {
  const outage = { startedAt: 0, endedAt: 10, holdUntil: 20, part: 'a' }
  assert.equal(belongTogether(outage, { ...outage, part: 'b' }), false)
  assert.equal(belongTogether(outage, { startedAt: 0, endedAt: 10, holdUntil: 20 }), false)
  assert.equal(belongTogether(outage, outage), true)
  assert.equal(joined([outage, outage]).part, 'a')
})

test('a later outage does not shorten the hold of an earlier one', () => {
  const long = outageOf({ from: T, to: T + 590 * S, partial: true }, MAX_HOLD)
  const short = outageOf({ from: T + 610 * S, to: T + 640 * S, partial: true }, MAX_HOLD)
  for (const now of [T + 641 * S, T + 1_179 * S]) {
    const hold = holdAt([long, short], now, MAX_HOLD)
    assert.equal(hold?.from, T)
    assert.equal(hold?.until, T + 1_180 * S)
  }
})

test('no outage shortens a hold, whatever others there are', () => {
  const some = fc.record({
    from: fc.integer({ min: 0, max: 3_600 }),
    lasts: fc.integer({ min: 1, max: 1_200 }),
    partial: fc.boolean(),
  })
  const property = fc.property(fc.array(some, { minLength: 1, maxLength: 6 }), fc.nat(5_000), (all, at) => {
    const outages = all.map(({ from, lasts, partial }) =>
      outageOf({ from: T + from * S, to: T + (from + lasts) * S, partial }, MAX_HOLD),
    )
    const now = T + at * S
    const known = outages.filter(({ endedAt }) => endedAt <= now)
    const hold = holdAt(known, now, MAX_HOLD)
    for (const left of known.keys()) {
      const fewer = holdAt(known.toSpliced(left, 1), now, MAX_HOLD)
      if (!fewer) continue
      assert.ok(hold !== null && hold.from <= fewer.from && hold.until >= fewer.until)
    }
  })
  fc.assert(property, { numRuns: 300 })
})

test('when the hold ended for which a deadline waited is known afterwards', () => {
  const some = fc.record({
    from: fc.integer({ min: 0, max: 300 }),
    lasts: fc.integer({ min: 1, max: 60 }),
    partial: fc.boolean(),
  })
  let found = 0
  const property = fc.property(
    fc.array(some, { minLength: 1, maxLength: 8 }),
    fc.nat(300),
    fc.integer({ min: 1, max: 300 }),
    (all, at, lasts) => {
      const outages = all.map(({ from, lasts, partial }) =>
        outageOf({ from: T + from * S, to: T + (from + lasts) * S, partial }, 60 * S),
      )
      const [deadline, until] = [T + at * S, T + (at + lasts) * S]
      const isHeldAt = (now: number) => {
        const known = outages.filter(({ endedAt }) => endedAt <= now)
        return isHeld(deadline, now, holdAt(known, now, 60 * S))
      }
      fc.pre(!isHeldAt(until))
      let end: number | null = until
      while (end > deadline && !isHeldAt(end - 1)) end -= S
      if (end === deadline) end = null
      else found++
      assert.equal(heldUpTo(outages, deadline, { since: 0, until }, 60 * S), end)
      if (end === null) return
      assert.equal(heldUpTo(outages, deadline, { since: end - 1, until }, 60 * S), end)
      assert.equal(heldUpTo(outages, deadline, { since: end, until }, 60 * S), null)
    },
  )
  fc.assert(property, { numRuns: 500 })
  assert.ok(found > 100)
})
