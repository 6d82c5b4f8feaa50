/** The canary: whether pings reach Punctual, judged by its requests to its own ping endpoint. See decision 0104. */
import { CLOCK_SET_BACK_MS } from '../pings/ping.js'
import { instant, whole } from '../time/set-back.js'
import { type Outage, outageOf } from './outage.js'

/** Pings cannot reach Punctual after this many failures in a row. */
const FAILURES = 3

/** After this long (ms) without a request, the canary says nothing about the time since. */
const LOST_MS = 300_000

/** What all processes share about the canary. Instants in ms. */
export interface CanaryRecord {
  /** When a request of any process last succeeded, or null. */
  reachedAt: number | null
  /** Since when pings cannot reach Punctual, when that was found, and when it was last confirmed; null if they can. */
  unreachable: { since: number; foundAt: number; seenAt: number } | null
}

export const NO_CANARY: CanaryRecord = { reachedAt: null, unreachable: null }

export const canarySetBack = whole<CanaryRecord>({
  reachedAt: instant,
  unreachable: whole<NonNullable<CanaryRecord['unreachable']>>({
    since: instant,
    foundAt: instant,
    seenAt: instant,
  }),
})

/** The requests of one process since it started. */
export interface CanaryRun {
  hasSucceeded: boolean
  /** The failures in a row, and when (ms) the first was. */
  failures: number
  failingSince: number | null
}

export const NEW_RUN: CanaryRun = { hasSucceeded: false, failures: 0, failingSince: null }

/** The run after a request at `at` (ms). */
export function afterRequest(run: CanaryRun, at: number, succeeded: boolean): CanaryRun {
  if (succeeded) return { hasSucceeded: true, failures: 0, failingSince: null }
  return { ...run, failures: run.failures + 1, failingSince: run.failingSince ?? at }
}

/** The result of a request. */
export interface CanaryResult {
  record: CanaryRecord
  /** The outage to store now; it grows with each request. */
  outage: Outage | null
  /** Set when pings become unreachable, or reachable again. */
  change: 'unreachable' | 'reachable' | null
}

/**
 * The result at `now` of the newest request in `run`. `lastPing`: when the newest ping of any check arrived. Pings
 * count as unreachable after three failures in a row, if an earlier request succeeded and no ping arrived since the
 * first failure; they are reachable again after the first success or ping. The time between is a partial outage,
 * whose hold ends at most `maxHoldMs` after it was found.
 */
export function judgeCanary(
  record: CanaryRecord,
  run: CanaryRun,
  lastPing: number | null,
  now: number,
  maxHoldMs: number,
): CanaryResult {
  const reachedAt = run.failures === 0 ? now : record.reachedAt
  // A ping far ahead arrived before the clock was set back.
  const isAhead = lastPing !== null && lastPing - now > CLOCK_SET_BACK_MS
  const heardAt = Math.max(reachedAt ?? 0, isAhead ? 0 : (lastPing ?? 0))
  const { unreachable } = record
  if (unreachable === null) {
    const since = run.failingSince !== null && heardAt <= run.failingSince ? heardAt : null
    if (since === null || !run.hasSucceeded || run.failures < FAILURES) {
      return { record: { reachedAt, unreachable: null }, outage: null, change: null }
    }
    const found = { since, foundAt: now, seenAt: now }
    return {
      record: { reachedAt, unreachable: found },
      outage: outageUntil(now, found, maxHoldMs),
      change: 'unreachable',
    }
  }
  const isHeard = heardAt > unreachable.since
  const isLost = now - unreachable.seenAt > LOST_MS || now < unreachable.since
  const to = isLost ? unreachable.seenAt : isHeard ? Math.min(heardAt, now) : now
  const left = isLost ? unreachable : { ...unreachable, seenAt: now }
  return {
    record: { reachedAt, unreachable: isHeard ? null : left },
    outage: isLost && !isHeard ? null : outageUntil(to, unreachable, maxHoldMs),
    change: isHeard ? 'reachable' : null,
  }
}

function outageUntil(
  to: number,
  { since, foundAt }: { since: number; foundAt: number },
  maxHoldMs: number,
): Outage {
  const outage = outageOf({ from: since, to, partial: true }, maxHoldMs)
  const holdUntil = Math.max(outage.endedAt, Math.min(outage.holdUntil, foundAt + maxHoldMs))
  return { ...outage, holdUntil }
}
