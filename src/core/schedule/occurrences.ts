import { monthOf } from './civil-month.js'
import { nextOccurrence } from './next-occurrence.js'
import { previousOccurrence } from './previous-occurrence.js'
import type { Schedule } from './schedule.js'
import { zoneNamed } from './zones/zone.js'

const DAY_MS = 86_400_000
const SHORTEST_MONTH_MS = 28 * DAY_MS

/** The longest gap of a valid cron expression is 40 years, for a 29 February that is a Monday. */
const CRON_MONTHS = 50 * 12

const FIRST_CALENDAR_MONTH = 1970 * 12
const LAST_CALENDAR_MONTH = 2199 * 12 + 11

/**
 * The first occurrence of `schedule` after `instant`, or null. Instants are milliseconds UTC. `tz` is the zone of
 * lines that name none; RangeError if there is no such zone.
 *
 * Cron is searched for 50 years, OnCalendar to the end of 2199, as in systemd.
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

/** The last occurrence of `schedule` before `instant`, or null; the opposite of `nextAfter`. */
export function previousBefore(schedule: Schedule, tz: string, instant: number): number | null {
  const end = Math.ceil(instant)
  return lastFrom(schedule, tz, end, firstMonthTo(schedule, end))
}

/**
 * The last occurrence of `schedule` from `since` on and before `instant`, or null. Cheaper than {@link previousBefore} if it has rare dates.
 */
export function previousWithin(
  schedule: Schedule,
  tz: string,
  since: number,
  instant: number,
): number | null {
  const end = Math.ceil(instant)
  // Two more, because the clock of a zone may show another day.
  const months = Math.floor((end - since) / SHORTEST_MONTH_MS) + 2
  const last = lastFrom(schedule, tz, end, Math.max(firstMonthTo(schedule, end), monthAt(end) - months))
  return last !== null && last >= since ? last : null
}

function lastFrom(schedule: Schedule, tz: string, end: number, firstMonth: number): number | null {
  let last: number | null = null
  for (const rule of schedule.rules) {
    const found = previousOccurrence(rule, zoneNamed(rule.zone ?? tz), end, firstMonth)
    if (found !== null && (last === null || found > last)) last = found
  }
  return last
}

/** Yields the occurrences of `schedule` after `instant`; endless if the schedule is. */
export function* occurrences(schedule: Schedule, tz: string, instant: number): Generator<number, void> {
  let next = nextAfter(schedule, tz, instant)
  while (next !== null) {
    yield next
    next = nextAfter(schedule, tz, next)
  }
}

/** The first month in which to look for an occurrence of `schedule` before `instant`. */
function firstMonthTo(schedule: Schedule, instant: number): number {
  return schedule.kind === 'cron' ? monthAt(instant) - CRON_MONTHS : FIRST_CALENDAR_MONTH
}

/** The last month in which to look for an occurrence of `schedule` after `instant`. */
export function lastMonthFrom(schedule: Schedule, instant: number): number {
  return schedule.kind === 'cron' ? monthAt(instant) + CRON_MONTHS : LAST_CALENDAR_MONTH
}

function monthAt(instant: number): number {
  return monthOf(Math.floor(instant / DAY_MS))
}
