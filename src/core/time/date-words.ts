import { firstDayOf, monthOf } from '../schedule/civil-month.js'
import { MONTH_NAMES } from '../schedule/english.js'

/** A day (see calendar.ts) as people write it: `3 Jan 2026`. */
export function dateWords(day: number): string {
  const month = monthOf(day)
  const name = MONTH_NAMES[month % 12]!.slice(0, 3)
  return `${day - firstDayOf(month) + 1} ${name} ${Math.floor(month / 12)}`
}

/** A month (see calendar.ts) as people write it: `January 2026`. */
export function monthWords(month: number): string {
  return `${MONTH_NAMES[month % 12]} ${Math.floor(month / 12)}`
}
