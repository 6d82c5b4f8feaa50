/**
 * The laws of test/core/checks/health/laws.test.ts, of what the store has after random histories: with pings that are recorded
 * one by one or several at once, and a store that is closed and opened again at any point.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { State } from '../../../src/core/checks/check.js'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import type { Settings } from '../../../src/core/checks/check-fields.js'
import { CAUSES } from '../../../src/core/checks/health/cause.js'
import { arePlain } from '../../../src/core/checks/health/rules.js'
import { openRuns } from '../../../src/core/checks/health/runs.js'
import { nextDeadlineAt } from '../../../src/core/checks/health/settle.js'
import type { ArrivedPing } from '../../../src/core/pings/arrived-ping.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { loggedEventsOf, loggedFlipsOf, passedDeadlinesOf } from '../../_support/stored-log.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import {
  type AnyEvent,
  anyEvents,
  anySettings,
  BEGIN,
  plainSettings,
  play,
} from '../../core/checks/health/any-history.js'
import { promiseIsKept, runsEndOnce, toleranceHolds } from '../../core/checks/health/law-checks.js'

const fresh = await openFreshStore()
test.after(fresh.remove)
const project = await fresh.store.projects.create({ name: '', ownerId: null, pingKey: null, now: BEGIN })

/** What happens after an event: the next ping may be recorded with it, or the program starts again. */
type Between = 'nothing' | 'together' | 'restart'

const RIDS = ['a', 'b', 'c'].map(letter => `${letter}0000000-0000-4000-8000-000000000000`)
const anyRids = [null, null, ...RIDS]
const anyBetween = fc.constantFrom<Between[]>(
  'nothing',
  'nothing',
  'nothing',
  'together',
  'together',
  'restart',
)
const betweens = fc.array(anyBetween, { minLength: 40, maxLength: 40 })

/**
 * Half of the checks go down late, so that there is much to remember. None is plain: of those the store records no deadline
 * that passed, by which the laws go. The second test has them.
 */
const settings = fc
  .oneof(
    anySettings,
    anySettings.map(one => ({ ...one, failuresToAlert: 4, tolerated: CAUSES.join(',') })),
  )
  .filter(one => !arePlain(one))

/** Histories in which no two events are in the same millisecond: the log names a run by its start. */
const events = anyEvents(anyRids).map(all => all.map(event => ({ ...event, after: event.after + 1 })))

test('a history in the store, with restarts at any point, is the one in memory, and obeys the laws', async () => {
  await fc.assert(
    fc.asyncProperty(settings, events, betweens, async (settings, history, between) => {
      const stored = await playStored(settings, history, between)
      const states: State[] = []
      const told = play(settings, history, ({ check }) => void states.push(check))
      for (const { place, check } of stored.states)
        assert.deepEqual(stateOf(check), stateOf(states[place]!), `after event ${place}`)
      assert.deepEqual(stored.flips, told.flips)
      assert.deepEqual(stored.passed, told.passed)
      toleranceHolds(settings, stored)
      runsEndOnce(stored.runs, stored, openRuns(stored.check, stored.check).length)
    }),
    { numRuns: 15, endOnFailure: true },
  )
})

test('a history of a check with the defaults is the one in memory, with restarts at any point', async () => {
  await fc.assert(
    fc.asyncProperty(plainSettings, events, betweens, async (settings, history, between) => {
      const stored = await playStored(settings, history, between)
      const states: State[] = []
      const told = play(settings, history, ({ check }) => void states.push(check))
      for (const { place, check } of stored.states)
        assert.deepEqual(stateOf(check), stateOf(states[place]!), `after event ${place}`)
      assert.deepEqual(stored.flips, told.flips)
      assert.deepEqual([stored.passed, stored.check.tracking], [[], null])
    }),
    { numRuns: 8, endOnFailure: true },
  )
})

async function playStored(settings: Settings, history: readonly AnyEvent[], between: readonly Between[]) {
  const { check: made } = await fresh.store.checks.create(project.id, {
    changes: changesOf(settings),
    unique: null,
    now: BEGIN,
  })
  const facts = async (now: number) => (await fresh.store.checks.facts(project.id, made.uuid, now)).check
  let now = BEGIN
  let together: ArrivedPing[] = []
  const states: { place: number; check: State }[] = []
  let [promised, known] = [nextDeadlineAt(made), 0]
  const record = async () => {
    if (together.length === 0) return
    const { outcomes } = await fresh.store.pings.record(together)
    assert.ok(outcomes.every(outcome => outcome === 'ok'))
    together = []
  }
  for (const [place, { after, action, rid, durationMs }] of history.entries()) {
    now += after
    if (action === 'look') {
      await record()
      await fresh.store.alerts.declareDown(now, 1_000)
    } else {
      together.push(arrivedPing({ uuid: made.uuid }, now, { action, rid, durationMs }))
      if (between[place] === 'together') continue
      await record()
    }
    if (between[place] === 'restart') await fresh.reopen()
    const passed = await passedDeadlinesOf(fresh.raw, made.uuid)
    // The first of several pings may have moved the deadline.
    const isOne = between[place - 1] !== 'together'
    promiseIsKept(settings, passed.slice(known), isOne ? promised : null, now)
    const seen = await facts(now)
    states.push({ place, check: seen })
    ;[promised, known] = [nextDeadlineAt(seen), passed.length]
  }
  await record()
  const check = await facts(now)
  return {
    check,
    /** After each event, but for those that were recorded with the next. */
    states: [...states, { place: history.length - 1, check }],
    flips: await loggedFlipsOf(fresh.raw, made.uuid),
    passed: await passedDeadlinesOf(fresh.raw, made.uuid),
    pings: await loggedEventsOf(fresh.raw, made.uuid),
    runs: (await fresh.store.pings.listRuns(project.id, { uuid: made.uuid }, { before: null, limit: 200 }))
      .runs,
  }
}

/** What a check that was made just now has to be changed by. A period makes it simple, a schedule does not. */
function changesOf({ kind, periodSeconds, schedule, tz, ...others }: Settings): CheckChanges {
  return kind === 'simple' ? { ...others, periodSeconds } : { ...others, schedule, tz }
}

function stateOf(check: State) {
  const { status, nPings, lastPing, lastStart, lastDurationMs, dueAt, alertAfter, tracking } = check
  return { status, nPings, lastPing, lastStart, lastDurationMs, dueAt, alertAfter, tracking }
}
