/** Checks and runs for tests of findings. */
import { DEFAULT_SETTINGS } from '../../src/core/checks/check-fields.js'
import type { FindingFacts, FoundRun } from '../../src/core/checks/findings/index.js'
import { occurrences, parseSchedule } from '../../src/core/schedule/index.js'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The time at which the checks of these tests are examined. */
export const NOW = Date.parse('2026-03-05T12:00:00Z')

/** A run that ended at `endedAt` with success, by a ping of which no start is known. */
export const run = (endedAt: number, more: Partial<FoundRun> = {}): FoundRun => ({
  startedAt: null,
  endedAt,
  durationMs: null,
  succeeded: true,
  ...more,
})

/** A run that started at `startedAt` and took a minute. */
export const startedRun = (startedAt: number): FoundRun =>
  run(startedAt + MINUTE, { startedAt, durationMs: MINUTE })

type More = Partial<Omit<FindingFacts, 'check'>> & { check?: Partial<FindingFacts['check']> }

/** A healthy check with a channel that works and a daily period, with the fields in `more`. */
export function findingFacts({ check, ...more }: More = {}): FindingFacts {
  const runs = more.runs ?? []
  return {
    runs,
    openRuns: 0,
    channels: [{ enabled: true, delivered: true }],
    policy: null,
    zones: [],
    now: NOW,
    ...more,
    check: { ...DEFAULT_SETTINGS, status: 'up', nPings: runs.length, createdAt: NOW - HOUR, ...check },
  }
}

/** The settings of a check with this cron expression. */
export const cron = (schedule: string, tz = 'UTC') => ({ kind: 'cron', schedule, tz }) as const

/** The first `count` occurrences of a schedule after `from`. */
export function firstOf(schedule: string, tz: string, from: number, count: number): number[] {
  const found: number[] = []
  for (const at of occurrences(parseSchedule(schedule), tz, from)) {
    if (found.push(at) === count) break
  }
  return found
}
