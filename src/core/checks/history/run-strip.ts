/** The runs of a check as a strip of bars: ended, missing, and under way. */

import { timeOf } from '../../pings/back-dated.js'
import type { Action } from '../../pings/ping-event.js'
import { durationsOf } from '../../pings/ping-log.js'
import type { Flip } from '../flip.js'

/**
 * `missed`: the check went down because no ping came. `overrun`: a run started and did not end in time. `running`: it
 * has started and may still end in time.
 */
export type RunOutcome = 'success' | 'fail' | 'missed' | 'overrun' | 'running'

export interface Run {
  /** When it ended or was missed; when it started if it is under way. */
  at: number
  outcome: RunOutcome
  /** Null if neither its start nor its duration is known. */
  durationMs: number | null
  /** The number of the ping that ended it; null if none did. */
  n: number | null
  exitStatus: number | null
}

/** What a strip shows of runs, oldest first: of a hundred checks it crosses between threads in a third of the time of the runs. */
export interface Strip {
  outcomes: RunOutcome[]
  durationsMs: (number | null)[]
}

export function stripOf(runs: readonly Run[]): Strip {
  return {
    outcomes: runs.map(({ outcome }) => outcome),
    durationsMs: runs.map(({ durationMs }) => durationMs),
  }
}

/** The part of a ping that tells about runs. */
export interface RunEvent {
  n: number
  at: number
  /** When it was to be sent, if it arrived late; absent or null: in time. */
  ranAt?: number | null
  action: Action
  rid: string | null
  exitStatus: number | null
  /** How long the run took by the client's clock (ms), or null. */
  durationMs: number | null
}

/**
 * The last `count` runs, oldest first. `log` and `flips` are oldest first. `runningSince`: when the run
 * under way started, or null.
 */
export function runsOf(
  log: readonly RunEvent[],
  flips: readonly Flip[],
  runningSince: number | null,
  count: number,
): Run[] {
  const durations = durationsOf(log)
  const first = log[0]?.at ?? Number.NEGATIVE_INFINITY
  const runs: Run[] = []
  for (const { createdAt, reason } of flips) {
    if (createdAt < first || (reason !== 'missed' && reason !== 'overrun')) continue
    runs.push({ at: createdAt, outcome: reason, durationMs: null, n: null, exitStatus: null })
  }
  // The last ones are enough unless others belong between them.
  const isInOrder = runs.length === 0 && log.every(({ ranAt }) => ranAt === null || ranAt === undefined)
  const ended = log.filter(({ action }) => action === 'success' || action === 'fail')
  for (const event of isInOrder ? ended.slice(-count) : ended) {
    const { n, action, exitStatus } = event
    const durationMs = event.durationMs ?? durations.get(n) ?? null
    runs.push({ at: timeOf(event), outcome: action as 'success' | 'fail', durationMs, n, exitStatus })
  }
  runs.sort((a, b) => a.at - b.at)
  if (runningSince !== null) {
    runs.push({ at: runningSince, outcome: 'running', durationMs: null, n: null, exitStatus: null })
  }
  return runs.slice(-count)
}

/** The exit status of the last run that a ping ended; null if it has none. */
export function lastExitStatus(runs: readonly Run[]): number | null {
  return runs.findLast(({ n }) => n !== null)?.exitStatus ?? null
}

/** The usual duration of a check's runs. */
export interface UsualDuration {
  medianMs: number
  /** 95 % of the runs took no longer. */
  p95Ms: number
  runs: number
}

/** The median and the 95th percentile of durations (ms), or null if there are none. */
export function usualDuration(durations: readonly number[]): UsualDuration | null {
  if (durations.length === 0) return null
  const sorted = durations.toSorted((a, b) => a - b)
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!
  return { medianMs: rank(0.5), p95Ms: rank(0.95), runs: sorted.length }
}
