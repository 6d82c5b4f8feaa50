import assert from 'node:assert/strict'
import { test } from 'node:test'
import { absenceAtStart, absencesAt } from '../../../src/core/instance/absences.js'
import { type Beat, heardBy, troubleSince } from '../../../src/core/instance/beats.js'

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
    stopped,
  }))

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
