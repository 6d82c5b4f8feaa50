import { monthOf } from './civil-month.js'
import { nextOccurrence } from './next-occurrence.js'
import { previousOccurrence } from './previous-occurrence.js'
import type { Schedule } from './schedule.js'
import { zoneNamed } from './zones/zone.js'

const DAY_MS = 86_400_000

/** No cron expression that can be read rests longer than 40 years, as a 29 February on a Monday does once. */
const CRON_MONTHS = 50 * 12

const FIRST_CALENDAR_MONTH = 1970 * 12
const LAST_CALENDAR_MONTH = 2199 * 12 + 11

/**
 * The first occurrence of `schedule` after `instant`, or null if there is none. Instants are milliseconds
 * UTC. `tz` is the zone whose clock counts where a line names none; RangeError if there is no such zone.
 *
 * Cron is searched for 50 years, OnCalendar to the end of 2199, where systemd ends too.
 */
export function nextAfter(schedule: Schedule, tz: string, instant: number): number | null {
  const start = Math.floor(instant)
  const lastMonth = lastMonthFrom(schedule, start)
  let first: number | null = null
  for (const rule of schedule.rules) {
    const found = nextOccurrence(rule, zoneNamed(rule.zone ?? tz), start, lastMonth)
    if (found !== null && (first === null || found < first)) first = found
  }
  return first
}

/** The last occurrence of `schedule` before `instant`, or null; the mirror image of `nextAfter`. */
export function previousBefore(schedule: Schedule, tz: string, instant: number): number | null {
  const end = Math.ceil(instant)
  const firstMonth = schedule.kind === 'cron' ? monthAt(end) - CRON_MONTHS : FIRST_CALENDAR_MONTH
  let last: number | null = null
  for (const rule of schedule.rules) {
    const found = previousOccurrence(rule, zoneNamed(rule.zone ?? tz), end, firstMonth)
    if (found !== null && (last === null || found > last)) last = found
  }
  return last
}

/** The occurrences of `schedule` after `instant`, one by one, without end where the schedule has none. */
export function* occurrences(schedule: Schedule, tz: string, instant: number): Generator<number, void> {
  let next = nextAfter(schedule, tz, instant)
  while (next !== null) {
    yield next
    next = nextAfter(schedule, tz, next)
  }
}

/** The last month in which an occurrence of `schedule` after `instant` is looked for. */
export function lastMonthFrom(schedule: Schedule, instant: number): number {
  return schedule.kind === 'cron' ? monthAt(instant) + CRON_MONTHS : LAST_CALENDAR_MONTH
}

function monthAt(instant: number): number {
  return monthOf(Math.floor(instant / DAY_MS))
}
