/** Compares runs with the occurrences of a schedule. */
import { nextAfter, parseSchedule, previousBefore, type Schedule } from '../../schedule/index.js'
import type { FindingFacts, FoundRun } from './finding.js'

/** A run and the occurrences around it. Instants in ms. */
export interface Arrival {
  at: number
  /** Whether `at` is when the run started. Otherwise it is when a run without a known start ended. */
  isStart: boolean
  before: number
  after: number
}

/** When a run started if that is known, else when it ended. */
export function arrivalOf({ startedAt, endedAt, durationMs }: FoundRun): number {
  return startedAt ?? (endedAt ?? 0) - (durationMs ?? 0)
}

/** The schedule of a check, or null if it has a period. */
export function scheduleOf({ check }: Pick<FindingFacts, 'check'>): Schedule | null {
  return check.kind === 'simple' ? null : parseSchedule(check.schedule)
}

/** The newest `most` runs, oldest first, with the occurrences around them; runs without two are left out. */
export function arrivals({ check, runs }: FindingFacts, schedule: Schedule, most: number): Arrival[] {
  return runs.slice(-most).flatMap(run => {
    const at = arrivalOf(run)
    const before = previousBefore(schedule, check.tz, at + 1)
    const after = nextAfter(schedule, check.tz, at)
    if (before === null || after === null) return []
    return [{ at, isStart: run.startedAt !== null || run.durationMs !== null, before, after }]
  })
}

/** The distance (ms) of a run from its nearest occurrence; negative if the run came before it. */
export function distance({ at, before, after }: Arrival): number {
  return at - before <= after - at ? at - before : at - after
}
