/** Back-dated pings: what could not be sent in time arrives later, with its true time. The rules are in docs/pinging.md. */
import type { Rules, State } from '../checks/check.js'
import type { Waived } from '../checks/health/judge.js'
import { factsOf, unfinishedRuns, withRuns } from '../checks/health/runs.js'
import { nextDeadlineAt, withDeadlines } from '../checks/health/settle.js'
import type { TrackedRun } from '../checks/health/tracking.js'
import { type Hold, isHeld } from '../instance/outage.js'
import { afterLoggedPing, applyCounted, instantOf } from './ping.js'
import type { BackDatedPing, PingEffect, PingEvent } from './ping-event.js'

/** The oldest time (ms ago) that a ping may have. */
export const OLDEST_MS = 7 * 86_400_000

/** How far (ms) the clocks of a sender and of Punctual may be apart. */
export const SKEW_MS = 5 * 60_000

/** Whether a ping that arrives at `now` may say that it is from `ranAt` (ms). */
export function isValidTime(ranAt: number, now: number): boolean {
  return ranAt <= now + SKEW_MS && ranAt >= now - OLDEST_MS
}

/** When a logged ping was sent for the first time (ms): its own time, unless the sender's clock was ahead. */
export function timeOf({ at, ranAt }: { at: number; ranAt?: number | null | undefined }): number {
  return ranAt === null || ranAt === undefined ? at : Math.min(ranAt, at)
}

/** Whether a logged ping arrived so late that both of its times are worth showing. */
export function isLate(ping: { at: number; ranAt?: number | null }): boolean {
  return ping.at - timeOf(ping) >= 60_000
}

/**
 * The effect of a ping that arrives late. If nothing newer came for the check, it has the effect that it would have had in
 * time; the flip, if any, is dated to its arrival. Otherwise it only ends its run.
 */
export function applyBackDated(
  before: State,
  rules: Rules,
  { action: requested, rid, arrivedAt, durationMs, ranAt }: BackDatedPing,
  hold: Hold | null,
  waived?: Waived,
): PingEffect {
  const at = instantOf(before, arrivedAt)
  const action = before.status === 'paused' && rules.manualResume ? 'ign' : requested
  if (action === 'log' || action === 'ign') return logged(before, action, at)
  const run = action === 'start' ? undefined : ownRun(before, rules, rid)
  // A run cannot end before it began: the clocks differ.
  const time = Math.max(timeOf({ at, ranAt }), run?.at ?? 0)
  const ping: PingEvent = { action, rid, at: time, durationMs }
  if (time < newestEvent(before))
    return run ? ended(before, rules, run, ping, at) : logged(before, action, at)

  const effect = applyCounted(before, rules, ping, hold, waived)
  const next = nextDeadlineAt(effect.state)
  const isOverdue = next !== null && next <= at && !isHeld(next, at, hold)
  if (isOverdue && action === 'start') return logged(before, action, at)
  const measuredMs = action === 'start' ? null : durationMs
  const state = { ...effect.state, lastDurationMs: effect.state.lastDurationMs ?? measuredMs }
  const own = effect.flips.at(-1)?.createdAt === time ? effect.flips.at(-1) : undefined
  if (!own) return { ...effect, state, at }
  const others = effect.flips.slice(0, -1)
  // It would go down again at once. What came next may be on its way too.
  if (isOverdue && own.newStatus !== 'down') {
    const statusSince = others.at(-1)?.createdAt ?? before.statusSince
    const kept = withDeadlines({ ...rules, ...state, status: own.oldStatus, statusSince })
    return { ...effect, state: stateOf(kept), flips: others, at }
  }
  return {
    ...effect,
    state: { ...state, statusSince: at },
    flips: [...others, { ...own, createdAt: at }],
    at,
  }
}

/** Nothing changes but the log. */
function logged(before: State, action: PingEffect['action'], at: number): PingEffect {
  const cause = action === 'fail' ? 'failed' : null
  return { state: afterLoggedPing(before), action, cause, flips: [], passed: [], at }
}

/** Only the run ends, because something newer has come. */
function ended(before: State, rules: Rules, run: TrackedRun, ping: PingEvent, at: number): PingEffect {
  const others = unfinishedRuns(before, rules).filter(({ rid }) => rid !== run.rid)
  const facts = withRuns(factsOf(before), rules, others)
  const state = withDeadlines({
    ...rules,
    ...facts,
    nPings: before.nPings + 1,
    lastDurationMs: ping.durationMs ?? Math.max(0, ping.at - run.at),
    dueAt: before.dueAt,
    alertAfter: before.alertAfter,
  })
  return { ...logged(before, ping.action, at), state: stateOf(state) }
}

/** The unfinished run that a ping with this run ID ends. */
function ownRun(before: State, rules: Rules, rid: string | null): TrackedRun | undefined {
  return rid === null ? undefined : unfinishedRuns(factsOf(before), rules).find(run => run.rid === rid)
}

/** When the newest start, success or failure came (ms); for a paused check at least when it was paused. */
function newestEvent({ status, statusSince, lastPing, lastStart }: State): number {
  return Math.max(lastPing ?? 0, lastStart ?? 0, status === 'paused' ? statusSince : 0)
}

/** The state without the settings. */
function stateOf({ dueAt, alertAfter, ...check }: State): State {
  return { ...factsOf({ dueAt, alertAfter, ...check }), dueAt, alertAfter }
}
