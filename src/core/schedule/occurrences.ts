import { monthOf } from './civil-month.js'
import { nextOccurrence } from './next-occurrence.js'
import type { Schedule } from './schedule.js'
import { type Zone, zoneNamed } from './zone.js'

const DAY_MS = 86_400_000

/** No expression that can be parsed rests longer than 40 years: `0 0 29 2 MON`-like ones, around 2100. */
const CRON_MONTHS = 50 * 12

/** systemd's calendar ends with the year 2199. */
const LAST_CALENDAR_MONTH = 2199 * 12 + 11

/**
 * The first occurrence of `schedule` after `instant`, or null if there is none. Instants are milliseconds
 * UTC. `tz` is where the clock hangs, unless a line names its own zone; RangeError if there is no such zone.
 */
export function nextAfter(schedule: Schedule, tz: string, instant: number): number | null {
  const start = Math.floor(instant)
  const lastMonth = schedule.kind === 'cron' ? monthAt(start) + CRON_MONTHS : LAST_CALENDAR_MONTH
  let earliest: number | null = null
  for (const rule of schedule.rules) {
    const zone: Zone = zoneNamed(rule.zone ?? tz)
    const found = nextOccurrence(rule, zone, start, lastMonth)
    if (found !== null && (earliest === null || found < earliest)) earliest = found
  }
  return earliest
}

function monthAt(instant: number): number {
  return monthOf(Math.floor(instant / DAY_MS))
}
