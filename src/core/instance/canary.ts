/** The canary: whether pings reach Punctual from outside, as its requests to its own ping endpoint show. See decision 0104. */
import { type Outage, outageOf } from './outage.js'

/** Pings count as unreachable at this failure in a row. */
const FAILURES = 3

/** Nobody looked for so long (ms): what happened since is not the canary's to say. */
const LOST_MS = 300_000

/** What all processes know together. Instants in ms. */
export interface CanaryRecord {
  /** When the canary of some process last succeeded, or null. */
  reachedAt: number | null
  /** Since when pings count as unreachable, when that was found, and when it was last so; null while they do not. */
  unreachable: { since: number; foundAt: number; seenAt: number } | null
}

export const NO_CANARY: CanaryRecord = { reachedAt: null, unreachable: null }

/** What the canary of one process has seen since the process started. */
export interface CanaryRun {
  hasSucceeded: boolean
  /** Failures in a row, and when (ms) the first of them was. */
  failures: number
  failingSince: number | null
}

export const NEW_RUN: CanaryRun = { hasSucceeded: false, failures: 0, failingSince: null }

/** The run after a request that was sent at `at` (ms). */
export function afterRequest(run: CanaryRun, at: number, succeeded: boolean): CanaryRun {
  if (succeeded) return { hasSucceeded: true, failures: 0, failingSince: null }
  return { ...run, failures: run.failures + 1, failingSince: run.failingSince ?? at }
}

/** What a request of the canary led to. */
export interface CanaryResult {
  record: CanaryRecord
  /** What is to be put on record now: while it goes on it grows with each request. */
  outage: Outage | null
  /** Whether pings count as unreachable from now on, or as reachable again. */
  change: 'unreachable' | 'reachable' | null
}

/**
 * The result at `now` of the newest request in `run`, where the newest ping of any check arrived at `lastPing`. Pings count as
 * unreachable at the third failure in a row, if the canary had succeeded before and nothing was heard since the first; until the
 * first success or ping. That is a partial outage, which holds nothing for longer than `maxHoldMs` after it was found.
 */
export function judgeCanary(
  record: CanaryRecord,
  run: CanaryRun,
  lastPing: number | null,
  now: number,
  maxHoldMs: number,
): CanaryResult {
  const reachedAt = run.failures === 0 ? now : record.reachedAt
  const heardAt = Math.max(reachedAt ?? 0, lastPing ?? 0)
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
