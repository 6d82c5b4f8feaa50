/** The preview of a timing: the next runs, and when a missing one would be alerted. */
import type { Timing } from '../checks/check.js'
import { startTimeMs } from '../checks/health/rules.js'
import { describe, parseSchedule, type Upcoming, upcoming } from './index.js'

export interface SchedulePreview {
  /** The schedule in English; null for a simple period. */
  words: string | null
  /** The next runs of the schedule; for a simple period, those of a job that pings exactly on time. */
  runs: Upcoming[]
  /** If a ping arrived now: when the next one is expected, and when people would be alerted if it did not arrive. */
  expectedAt: number | null
  alertAt: number | null
}

/**
 * The preview of `timing` at `now`, with `count` runs. `isExpected`: whether a run at an instant is required. Throws `ScheduleError`, and RangeError for an unknown zone.
 */
export function previewSchedule(
  timing: Timing,
  now: number,
  count = 10,
  isExpected: (instant: number) => boolean = () => true,
): SchedulePreview {
  const runs = timing.kind === 'simple' ? periods(timing, now, count) : scheduled(timing, now, count)
  const expectedAt = runs.find(run => run.mark !== 'skipped' && isExpected(run.instant))?.instant ?? null
  return {
    words: timing.kind === 'simple' ? null : describe(parseSchedule(timing.schedule)),
    runs,
    expectedAt,
    alertAt: expectedAt === null ? null : expectedAt + startTimeMs(timing),
  }
}

function scheduled({ schedule, tz }: Timing, now: number, count: number): Upcoming[] {
  // A ping in this second is not before the schedule's second.
  return upcoming(parseSchedule(schedule), tz, Math.floor(now / 1000) * 1000, count)
}

function periods({ periodSeconds }: Timing, now: number, count: number): Upcoming[] {
  return Array.from({ length: count }, (_, index) => {
    const instant = now + (index + 1) * periodSeconds * 1000
    return { instant, mark: null, reading: instant }
  })
}
