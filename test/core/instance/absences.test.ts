import assert from 'node:assert/strict'
import { test } from 'node:test'
import { absenceAtStart, absencesAt, missedBeside } from '../../../src/core/instance/absences.js'
import {
  type Beat,
  heardBy,
  isTroubled,
  troubleSince,
  unheardSince,
} from '../../../src/core/instance/beats.js'

const S = 1_000
const M = 60 * S
const T = 1_800_000_000_000
const MAX_HOLD = 10 * M

/** Beats of processes named by letters: when each beat, what it had heard then, and whether it stopped. */
const beats = (...said: [beatAt: number, heardAt: number, stopped?: boolean][]): Beat[] =>
  said.map(([beatAt, heardAt, stopped = false], index) => ({
    process: 'abc'[index]!,
    beatAt,
    heardAt,
    number: beatAt,
    stopped,
  }))

test('pings are known only up to the process with the most trouble', () => {
  assert.equal(heardBy([], T, MAX_HOLD), T)
  assert.equal(heardBy(beats([T, T], [T, T - 8 * S]), T + S, MAX_HOLD), T - 8 * S)
})

test('deadlines wait for a process that cannot record pings for as long as a hold', () => {
  const stuck = beats([T, T], [T, T - 60 * M])
  assert.equal(heardBy(stuck, T, MAX_HOLD), T - MAX_HOLD)
  assert.equal(heardBy(stuck, T, 4 * S), T - 20 * S, 'until it is known whether it vanished')
  assert.equal(heardBy(stuck.slice(1), T, MAX_HOLD), T - 60 * M, 'where nobody else does')
})

test('pages show trouble if a process reports it, has ended, or is silent for long', () => {
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

test('alerts that are raised late wait for a process that fails, waits, has ended, or is silent for longer than usual', () => {
  const known: [string, Beat[], boolean, string?][] = [
    ['nobody ever took pings', [], false],
    ['all is well', beats([T - 2 * S, T - 2 * S], [T - S, T - 2 * S]), false],
    ['it is silent', beats([T, T], [T - 2 * S - 1, T - 2 * S - 1]), true],
    ['its pings wait', beats([T, T], [T - S, T - 2 * S - 1]), true],
    ['it ended', beats([T - 1, T - 1, true]), true],
    ['pings of the process that asks fail', beats([T, T - 1]), true, 'a'],
    ['those of another wait for a moment', beats([T, T - 1]), false, 'b'],
  ]
  for (const [name, said, waits, own] of known) assert.equal(isTroubled(said, T, own), waits, name)
})

test('what is shown waits for what no process has recorded yet', () => {
  const known: [string, Beat[], number | null][] = [
    ['nobody ever took pings', [], null],
    ['all is well', beats([T - 4 * S, T - 4 * S], [T - S, T - S]), T - 4 * S],
    ['pings fail', beats([T, T], [T - S, T - 30 * S]), T - 30 * S],
    [
      'they begin to fail where another has not beaten since',
      beats([T - S, T - 1.8 * S], [T, T - 1.1 * S]),
      T - 1.8 * S,
    ],
  ]
  for (const [name, said, since] of known) assert.equal(unheardSince(said), since, name)
})

test('a starting process stores the time since pings were last accepted, however short', () => {
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

test('a process that starts beside one with a recent beat waits for that one', () => {
  for (const age of [0, 2_400, 2_600, 5_000, 7_500]) {
    const found = beats([T - age, T - age - S])
    const { missed, doubt } = absenceAtStart(found, T, null)
    assert.deepEqual([missed, doubt], [[], { at: T, from: T - age - S, beats: found }])
    assert.deepEqual(absenceAtStart(found, T + 7_500 - age, doubt).doubt, doubt, 'still unknown')
    const none = { missed: [], ended: [], doubt: null }
    const beatAgain = beats([T + S, T + S])
    assert.deepEqual(absenceAtStart(beatAgain, T + 2 * S, doubt), none, 'it takes pings')
    const moved = found.map(beat => ({ ...beat, beatAt: beat.beatAt - 1, heardAt: beat.heardAt - 1 }))
    assert.deepEqual(
      absenceAtStart(moved, T + 7_500 - age, doubt).doubt,
      doubt,
      'only the clock was set back',
    )
    assert.deepEqual(absenceAtStart([], T + 2 * S, doubt), none, 'it ended in order in the meantime')
    assert.deepEqual(
      absenceAtStart(found, T + 7_501 - age, doubt),
      { missed: [{ from: T - age - S, to: T }], ended: ['a'], doubt: null },
      'it was killed',
    )
  }
})

test('processes that start together wait for earlier ones, not for each other', () => {
  const killed = beats([T - S, T - S])
  const first = absenceAtStart(killed, T, null).doubt
  const starting: Beat = { process: 'z', beatAt: T + 3 * S, heardAt: T - S, stopped: false }
  const { missed } = absenceAtStart([...killed, starting], T + 7 * S, first)
  assert.deepEqual(missed, [{ from: T - S, to: T }])
})

/** Beats of processes in a row, named by letters: since when each doubts, 0 if it does not, until when it heard, and whether it stopped. */
const inTurn = (...said: [heardFrom: number, heardAt: number, stopped?: boolean][]): Beat[] =>
  beats(...said.map(([, at, stopped]) => [at, at, stopped] as [number, number, boolean?])).map(
    (beat, index) => ({
      ...beat,
      ...(said[index]![0] > 0 && { heardFrom: said[index]![0] }),
    }),
  )

test('the beat of a process killed in doubt splits the time before it from that after', () => {
  const found = inTurn([0, T - 7 * S], [T - 6 * S, T - S])
  const first = absenceAtStart(found, T, null)
  assert.deepEqual([first.missed, first.ended, first.doubt?.from], [[], [], T - 7 * S])
  const second = absenceAtStart(found, T + 501, first.doubt)
  assert.deepEqual(second.missed, [{ from: T - 7 * S, to: T - 6 * S }])
  assert.deepEqual([second.ended, second.doubt?.from], [['a'], T - S])
  // The beat of the one that ended is removed with that.
  const third = absenceAtStart(found.slice(1), T + 6_501, second.doubt)
  assert.deepEqual(third, { missed: [{ from: T - S, to: T }], ended: ['b'], doubt: null })
})

test('a start after a process killed in doubt stores only what earlier ones missed', () => {
  const found = inTurn([0, T - 3 * S], [T - 2 * S, T - S])
  const { doubt } = absenceAtStart(found, T, null)
  const [a, b] = found
  const again = [{ ...a!, beatAt: T + 2 * S, heardAt: T + 2 * S, number: T + 2 * S }, b!]
  assert.deepEqual(absenceAtStart(again, T + 3 * S, doubt), { missed: [], ended: [], doubt: null })
})

test('a process that stopped in doubt vouches for its own time only', () => {
  const found = inTurn([0, T - 6 * S], [T - 5 * S, T - S, true])
  const { missed, doubt } = absenceAtStart(found, T, null)
  assert.deepEqual([missed, doubt?.from], [[], T - 6 * S])
  assert.deepEqual(absenceAtStart(found, T + 1_501, doubt), {
    missed: [
      { from: T - 6 * S, to: T - 5 * S },
      { from: T - S, to: T },
    ],
    ended: ['a', 'b'],
    doubt: null,
  })
})

test('an ended process’s trouble is partial while another still recorded pings', () => {
  const { missed } = absenceAtStart(beats([T - 20 * S, T - 80 * S], [T - 20 * S, T - 20 * S]), T, null)
  assert.deepEqual(missed, [
    { from: T - 80 * S, to: T - 20 * S, partial: true },
    { from: T - 20 * S, to: T },
  ])
})

test('a process in doubt vouches for no more than the processes before it', () => {
  const [killed, starting] = inTurn([0, T - 5 * M], [T - 4 * S, T])
  assert.equal(heardBy([killed!, starting!], T, M), T - 5 * M)
  assert.equal(troubleSince([killed!, starting!], T), T - 5 * M)
  assert.equal(heardBy([starting!], T, M), T, 'once those are removed')
})

test('a vanished process counts as having refused pings for 15 seconds', () => {
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

test('what a process missed is partial as far as another one recorded pings', () => {
  const missed = { from: T - 30 * S, to: T }
  const all = { ...missed, partial: true }
  const beside = (...others: Beat[]) => missedBeside(missed, others, T)
  assert.deepEqual(beside(), [missed])
  assert.deepEqual(beside(...beats([T - S, T - S])), [all])
  assert.deepEqual(beside(...beats([T - S, T - 40 * S])), [missed], 'it records none either')
  assert.deepEqual(beside(...beats([T - S, T - 40 * S], [T - 25 * S, T - 20 * S])), [
    { from: T - 30 * S, to: T - 20 * S, partial: true },
    { from: T - 20 * S, to: T },
  ])
  const [started] = beats([T - S, T - S])
  assert.deepEqual(beside({ ...started!, heardFrom: T - 10 * S }), [missed], 'it began later')
  const [recovered] = beats([T - S, T - S])
  const behind = { ...recovered!, behind: { 'shard 7': T - 40 * S } }
  const ofPart = { ...missed, part: 'shard 7' }
  assert.deepEqual(missedBeside(ofPart, [behind], T), [ofPart])
  assert.deepEqual(missedBeside({ ...missed, part: 'shard 8' }, [behind], T), [{ ...all, part: 'shard 8' }])
  assert.deepEqual(missedBeside(all, [], T), [all], 'refused for want of files, while others were recorded')
})
