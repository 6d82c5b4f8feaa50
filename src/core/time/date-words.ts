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

/** A day as in addresses and forms: `2026-01-03`. */
export function isoDate(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

/** The day of such a text; null if it is none. */
export function parseIsoDate(text: string): number | null {
  const ms = /^[12]\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : ms / 86_400_000
}
