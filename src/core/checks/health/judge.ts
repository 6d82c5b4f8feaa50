/** Judges deadlines that have passed. The rules are in docs/runs.md. */
import { type Hold, isHeld } from '../../instance/outage.js'
import type { Span } from '../../time/spans.js'
import type { Rules, State } from '../check.js'
import type { Flip } from '../flip.js'
import { type Deadline, dueTime, isSinceFinish, lastOccurrence, limitOf, nextDeadline } from './deadlines.js'
import { fail, type Step } from './outcome.js'
import { arePlain, isPlain, startTimeMs, tracksEachRun } from './rules.js'
import { type Facts, factsOf, openRuns, tracked, withJudged } from './runs.js'
import { nextDeadlineAt, settle } from './settle.js'
import type { HeldOccurrences } from './tracking.js'

/** A passed deadline in the log. `since` (ms): the due time, or the start of the run. */
export interface PassedDeadline {
  at: number
  cause: 'overrun' | 'missed'
  since: number
  rid: string | null
}

/** The times in which nothing is expected of a check, up to when it is judged. */
export interface Waived {
  /**
   * Such a time with this instant (ms) in it; undefined if it is expected of the check. It need not be all of that time: the rest may be
   * found by asking again.
   */
  windowAt(instant: number): Span | undefined
}

export const NONE_WAIVED: Waived = Object.freeze({ windowAt: () => undefined })

/** How soon (ms) a check is looked at again whose deadline has passed and cannot be judged yet. */
export const JUDGE_AGAIN_MS = 1_000

export interface Judged {
  facts: Facts
  flips: Flip[]
  passed: PassedDeadline[]
}

/**
 * The check after the deadlines up to `until` (ms), except those that wait because of `hold`. Occurrences in `waived`
 * are covered without being counted: nothing is expected in these times.
 */
export function judge(
  before: Facts,
  rules: Rules,
  until: number,
  hold: Hold | null,
  waived: Waived = NONE_WAIVED,
): Judged {
  const facts = withoutHeldBacklog(before, rules, until, hold, waived)
  const judged: Judged = { facts, flips: [], passed: [] }
  for (;;) {
    const deadline = nextDeadline(judged.facts, rules)
    if (deadline === null || deadline.at > until || isHeld(deadline.at, until, hold)) return judged
    const window = deadline.cause === 'missed' ? waived.windowAt(deadline.since) : undefined
    if (window) {
      judged.facts = covered(judged.facts, Math.min(window.to - 1, until))
      continue
    }
    const { facts, flip } = pass(judged.facts, deadline, rules)
    judged.facts = facts
    if (flip) judged.flips.push(flip)
    judged.passed.push(logged(deadline))
  }
}

/**
 * The check after the deadlines up to `now` (ms), for the watcher. For a plain check the flips say it all,
 * so no deadline is logged.
 */
export function stateAfterDeadlines(
  check: State & Rules,
  now: number,
  hold: Hold | null,
  waived: Waived = NONE_WAIVED,
): { state: State; flips: Flip[]; passed: PassedDeadline[] } {
  const { facts, flips, passed } = judge(factsOf(check), check, now, hold, waived)
  return { state: settle(facts, check), flips, passed: isPlain(check, check) ? [] : passed }
}

/** Whether a deadline has passed by `at` (ms). */
export function hasPassedDeadline(state: State, at: number): boolean {
  const next = nextDeadlineAt(state)
  return next !== null && next <= at
}

/**
 * The hold with which a check is judged at `at` (ms), if pings are known to be on disk only before `heardUntil` (ms), with the
 * hold as of then: later deadlines wait too, because a ping may have met them.
 */
export function holdWhileUnheard(hold: Hold | null, heardUntil: number, at: number): Hold | null {
  if (heardUntil >= at) return hold
  const unheard = { from: heardUntil + 1, until: at + 1 }
  if (hold === null) return unheard
  return { from: Math.min(hold.from, unheard.from), until: Math.max(hold.until, unheard.until) }
}

/** While the check is down: judges the runs whose limit has passed at `at` (ms), without counting them. */
export function judgeOverdueRuns(before: Facts, rules: Rules, at: number): Judged {
  const overdue =
    before.status === 'down' ? openRuns(before, rules).filter(run => limitOf(run, rules) <= at) : []
  if (overdue.length === 0) return { facts: before, flips: [], passed: [] }
  const passed = overdue.map(
    (run): PassedDeadline => ({ at: limitOf(run, rules), cause: 'overrun', since: run.at, rid: run.rid }),
  )
  return { facts: withJudged(before, rules, overdue), flips: [], passed }
}

/** The check with every occurrence up to `until` (ms) covered. */
export function covered(before: Facts, until: number): Facts {
  return tracked(before, { coveredUntil: Math.max(before.tracking?.coveredUntil ?? until, until) })
}

function pass(before: Facts, deadline: Deadline, rules: Rules): Step {
  const { at, cause, since, run } = deadline
  if (cause === 'missed') {
    // If runs have their own deadlines, an open run would have covered the occurrence.
    const late = tracksEachRun(rules) ? before : withJudged(before, rules, openRuns(before, rules))
    const missed = tracked(covered(late, since), { missed: late === before ? since : null })
    return fail(missed, cause, at, rules, false)
  }
  const judged = withJudged(before, rules, [run!])
  // A check that comes up expects nothing older.
  const isFirst = !tracksEachRun(rules) || before.status !== 'up'
  const standsForIt = isFirst || (rules.kind === 'simple' && isSinceFinish(before, run!))
  return fail(standsForIt ? covered(judged, at) : judged, cause, at, rules, run!.counted === true)
}

/**
 * Of the occurrences whose deadlines waited because of a hold, keeps only the last that is required once the hold is over, because
 * Punctual could not receive pings for the others. Until then none is covered, so that they are as they were if the clock is set
 * back, and a deadline that has waited as long as it can is judged. No later hold replaces the one that was kept: outages that begin
 * whenever a hold is over would keep an occurrence from being judged for ever.
 */
function withoutHeldBacklog(
  facts: Facts,
  rules: Rules,
  until: number,
  hold: Hold | null,
  waived: Waived,
): Facts {
  const due = arePlain(rules) ? null : dueTime(facts, rules)
  const held = facts.tracking?.held
  if (due === null || due > until || held?.isOver) return facts
  if (isHeld(due + startTimeMs(rules), until, hold)) {
    const last = lastRequired(rules, due, until, waived)
    return last > due ? tracked(facts, { held: { last, until: hold!.until } }) : facts
  }
  if (!held || held.last <= due || goesOn(held, until, hold)) return facts
  return covered(tracked(facts, { held: { ...held, isOver: true } }), held.last - 1)
}

function lastRequired(rules: Rules, due: number, until: number, waived: Waived): number {
  let last = lastOccurrence(rules, due, until)
  for (let window = waived.windowAt(last); window && last > due; window = waived.windowAt(last)) {
    last = window.from > due ? lastOccurrence(rules, due, window.from - 1) : due
  }
  return last
}

/** Whether the hold that was noted still holds later deadlines at `now` (ms): the outage, or others that follow it, goes on. */
function goesOn(held: HeldOccurrences, now: number, hold: Hold | null): boolean {
  return hold !== null && now < hold.until && hold.from <= held.until
}

function logged({ at, cause, since, run }: Deadline): PassedDeadline {
  return { at, cause, since, rid: run?.rid ?? null }
}
