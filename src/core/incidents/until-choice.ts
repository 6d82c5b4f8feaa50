/** How long an acknowledgement holds, as pages offer it. */
import { tomorrowMorning } from '../time/calendar.js'

const HOUR_MS = 3_600_000

/** The choices by their values in forms. */
export const UNTIL_CHOICES = [
  { value: 'up', label: 'until it is up' },
  { value: '1h', label: 'for 1 hour' },
  { value: '4h', label: 'for 4 hours' },
  { value: 'tomorrow', label: 'until tomorrow 9:00' },
] as const

/** The end (ms) of a choice made at `now` by a person in the zone `tz`; null: with the incident. */
export function untilOf(choice: string, now: number, tz: string): number | null {
  switch (choice) {
    case '1h':
      return now + HOUR_MS
    case '4h':
      return now + 4 * HOUR_MS
    case 'tomorrow':
      return tomorrowMorning(now, tz)
    default:
      return null
  }
}
