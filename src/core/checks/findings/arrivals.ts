/** Runs against the occurrences of a schedule. */
import { nextAfter, parseSchedule, previousBefore, type Schedule } from '../../schedule/index.js'
import type { FindingFacts, FoundRun } from './finding.js'

/** A run and the occurrences around it. Instants in ms. */
export interface Arrival {
  at: number
  /** Whether `at` is when the run started, or when a run arrived that said nothing of its start. */
  isStart: boolean
  before: number
  after: number
}

/** When a run began, as far as is known, else when it ended. */
export function arrivalOf({ startedAt, endedAt, durationMs }: FoundRun): number {
  return startedAt ?? (endedAt ?? 0) - (durationMs ?? 0)
}

/** The schedule of a check, or null where it has a period. */
export function scheduleOf({ check }: Pick<FindingFacts, 'check'>): Schedule | null {
  return check.kind === 'simple' ? null : parseSchedule(check.schedule)
}

/** The newest `most` runs with the occurrences of the schedule around them, oldest first; those without two are left out. */
export function arrivals({ check, runs }: FindingFacts, schedule: Schedule, most: number): Arrival[] {
  return runs.slice(-most).flatMap(run => {
    const at = arrivalOf(run)
    const before = previousBefore(schedule, check.tz, at + 1)
    const after = nextAfter(schedule, check.tz, at)
    if (before === null || after === null) return []
    return [{ at, isStart: run.startedAt !== null || run.durationMs !== null, before, after }]
  })
}

/** How far (ms) a run is from the occurrence that is nearest to it; negative: it came before. */
export function distance({ at, before, after }: Arrival): number {
  return at - before <= after - at ? at - before : at - after
}
