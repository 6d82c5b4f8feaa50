import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  absenceAtStart,
  absencesAt,
  type Beat,
  belongTogether,
  heardBy,
  holdAt,
  joined,
  type Outage,
  outageOf,
  outageWithin,
  troubleSince,
} from '../../../src/core/instance/outage.js'

const S = 1_000
const M = 60 * S
const T = 1_800_000_000_000
const MAX_HOLD = 10 * M

const outage = (from: number, to: number) => outageOf({ from, to }, MAX_HOLD)

/** Beats of processes named by letters: when each beat, what it had heard then, and whether it stopped. */
const beats = (...said: [beatAt: number, heardAt: number, stopped?: boolean][]): Beat[] =>
  said.map(([beatAt, heardAt, stopped = false], index) => ({
    process: 'abc'[index]!,
    beatAt,
    heardAt,
    stopped,
  }))

test('a hold is as long as its outage, but at least half a minute and no longer than the limit', () => {
  assert.equal(outage(T, T + S).holdUntil, T + 31 * S)
  assert.equal(outage(T, T + 2 * M).holdUntil, T + 4 * M)
  assert.equal(outage(T, T + 300 * M).holdUntil, T + 310 * M)
  assert.equal(outageOf({ from: T, to: T + S }, 4 * S).holdUntil, T + 5 * S)
})

test('an outage that was over at once has a length', () => {
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

test('an outage whose hold had ended does not', () => {
  const two = [outage(T, T + M), outage(T + 9 * M, T + 10 * M)]
  assert.deepEqual(holdAt(two, T + 10 * M, MAX_HOLD), { from: T + 9 * M, until: T + 11 * M })
})

test('moments of trouble that never end hold no deadline for longer than the limit while pings are heard', () => {
  const moments = Array.from({ length: 100 }, (_, n) => outage(T + n * 20 * S, T + n * 20 * S + S))
  const now = moments.at(-1)!.endedAt
  const { from, until } = holdAt(moments, now, MAX_HOLD)!
  assert.equal(until, now + 30 * S)
  assert.ok(from > now - 12 * M && from < now - 9 * M, `held since ${(now - from) / S} s ago`)
})

test('trouble that still goes on holds every deadline since, however long it lasts', () => {
  const hold = holdAt([], T + 300 * M, MAX_HOLD, T)!
  assert.equal(hold.from, T)
  assert.ok(hold.until > T + 300 * M)
})

test('a ping that was expected during an outage, or still awaited in its grace time, may have been missed', () => {
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

test('nothing is heard beyond what the process with the most trouble has heard', () => {
  assert.equal(heardBy([], T, MAX_HOLD), T)
  assert.equal(heardBy(beats([T, T], [T, T - 8 * S]), T + S, MAX_HOLD), T - 8 * S)
})

test('a process that cannot record pings while another does is waited for as long as a hold lasts', () => {
  const stuck = beats([T, T], [T, T - 60 * M])
  assert.equal(heardBy(stuck, T, MAX_HOLD), T - MAX_HOLD)
  assert.equal(heardBy(stuck, T, 4 * S), T - 20 * S, 'until it is known whether it vanished')
  assert.equal(heardBy(stuck.slice(1), T, MAX_HOLD), T - 60 * M, 'where nobody else does')
})

test('pages know of trouble when a process says so, has ended, or is silent for long', () => {
  const known: [string, Beat[], number | null][] = [
    ['nobody ever took pings', [], null],
    ['all is well', beats([T - 14 * S, T - 14 * S]), null],
    ['a ping waits for a moment', beats([T, T - S]), null],
    ['pings fail', beats([T, T], [T - S, T - 3 * S]), T - 3 * S],
    ['it ended', beats([T - S, T - S, true]), T - S],
    ['it is silent', beats([T - 16 * S, T - 17 * S]), T - 17 * S],
  ]
  for (const [name, said, since] of known) assert.equal(troubleSince(said, T), since, name)
})

test('a process that starts notes the time since somebody last took pings, however short it was', () => {
  const noted: [string, Beat[], number | null][] = [
    ['nobody ever did', [], null],
    ['it ended in order a moment ago', beats([T - S, T - S, true]), T - S],
    ['it was killed', beats([T - 8 * S, T - 9 * S]), T - 9 * S],
    ['it was killed in the midst of trouble', beats([T - 8 * S, T - 90 * S]), T - 90 * S],
  ]
  for (const [name, said, from] of noted) {
    const { missed, doubt } = absenceAtStart(said, T, null)
    assert.deepEqual([missed, doubt], [from === null ? [] : [{ from, to: T }], null], name)
  }
})

test('a process that starts beside one that beat lately waits for what that one does', () => {
  for (const age of [0, 2_400, 2_600, 5_000, 7_500]) {
    const found = beats([T - age, T - age - S])
    const { missed, doubt } = absenceAtStart(found, T, null)
    assert.deepEqual([missed, doubt], [[], { at: T, from: T - age - S, beats: found }])
    assert.deepEqual(absenceAtStart(found, T + 7_500 - age, doubt).doubt, doubt, 'still unknown')
    const none = { missed: [], ended: [], doubt: null }
    const beatAgain = beats([T + S, T + S])
    assert.deepEqual(absenceAtStart(beatAgain, T + 2 * S, doubt), none, 'it takes pings')
    assert.deepEqual(absenceAtStart([], T + 2 * S, doubt), none, 'it ended in order in the meantime')
    assert.deepEqual(
      absenceAtStart(found, T + 7_501 - age, doubt),
      { missed: [{ from: T - age - S, to: T }], ended: ['a'], doubt: null },
      'it was killed',
    )
  }
})

test('processes that start together wait for those before them and not for each other', () => {
  const killed = beats([T - S, T - S])
  const first = absenceAtStart(killed, T, null).doubt
  const starting: Beat = { process: 'z', beatAt: T + 3 * S, heardAt: T - S, stopped: false }
  const { missed } = absenceAtStart([...killed, starting], T + 7 * S, first)
  assert.deepEqual(missed, [{ from: T - S, to: T }])
})

test('a process that vanishes is taken for one that refused pings for fifteen seconds', () => {
  const [here, vanished] = [beats([T, T]), beats([T - S, T - S], [T - 16 * S, T - 18 * S])]
  assert.deepEqual(absencesAt(here, 'a', T), { missed: [], ended: [], doubt: null })
  assert.deepEqual(absencesAt(vanished, 'a', T), {
    missed: [{ from: T - 18 * S, to: T - S, partial: true }],
    ended: ['b'],
    doubt: null,
  })
})

test('a process does not judge its own silence by its beats', () => {
  assert.deepEqual(absencesAt(beats([T - 99 * S, T - 99 * S]), 'a', T).ended, [])
})

test('outages of one process hold no deadline for longer than the limit while another takes pings', () => {
  // A process that crashes again and again beside one that is well.
  const long = outageOf({ from: T, to: T + 60 * M, partial: true }, MAX_HOLD)
  const now = long.endedAt
  assert.deepEqual(holdAt([long], now, MAX_HOLD), { from: now - MAX_HOLD, until: now + MAX_HOLD })
  const before = outageOf({ from: T - 5 * M, to: T + M, partial: true }, MAX_HOLD)
  assert.equal(holdAt([before, long], now, MAX_HOLD)!.from, now - MAX_HOLD)
})

test('an outage of all processes is held whole, also beside one of a single process', () => {
  const all = outage(T, T + 30 * M)
  const one = outageOf({ from: T + 29 * M, to: T + 31 * M, partial: true }, MAX_HOLD)
  assert.equal(holdAt([all, one], T + 31 * M, MAX_HOLD)!.from, T)
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

test('refusals beside pings that are recorded are one outage however long they go on', () => {
  let outages: Outage[] = []
  for (let n = 0; n < 300; n++) {
    outages = withOutage(outages, outageOf({ from: T + n * S, to: T + n * S + 100, partial: true }, MAX_HOLD))
  }
  assert.equal(outages.length, 1)
})

test('no deadline waits longer than twice the limit while pings are recorded, whatever the gaps', () => {
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
