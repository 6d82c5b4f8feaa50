import { WEEKDAY_NAMES } from '../../../core/schedule/english.js'
import { dayAt } from '../../../core/time/calendar.js'
import { dateWords } from '../../../core/time/date-words.js'
import { type PageContext, zoneOf } from '../../page-context.js'

/** The entries in their order, each with its day if the one before was on another day; else null. */
export function byDay<T>(
  page: PageContext,
  entries: readonly T[],
  instantOf: (entry: T) => number,
): { entry: T; day: number | null }[] {
  const zone = zoneOf(page)
  let before: number | null = null
  return entries.map(entry => {
    const day = dayAt(instantOf(entry), zone)
    const isNew = day !== before
    before = day
    return { entry, day: isNew ? day : null }
  })
}

/** A day as a heading. `date` is empty where `name` says it. */
export interface DayTitle {
  name: string
  date: string
}

/** A day as a heading: `Today` or `Yesterday` with its date, else the date: `Thu 15 Jan 2026`. */
export function dayTitle(page: PageContext, day: number): DayTitle {
  const ago = dayAt(page.now, zoneOf(page)) - day
  const date = `${WEEKDAY_NAMES[(((day + 4) % 7) + 7) % 7]!.slice(0, 3)} ${dateWords(day)}`
  if (ago === 0 || ago === 1) return { name: ago === 0 ? 'Today' : 'Yesterday', date }
  return { name: date, date: '' }
}

/** The heading of a day in a list. Nothing without a day. */
export function DayHead({ page, day }: { page: PageContext; day: number | null }) {
  if (day === null) return null
  const { name, date } = dayTitle(page, day)
  return (
    <li class="day-head">
      <h3>{name}</h3>
      {date === '' ? null : <span class="muted"> {date}</span>}
    </li>
  )
}
