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

/** The heading of a day in a list: `Today`, `Yesterday`, `Thu 15 Jan 2026`. Nothing without a day. */
export function DayHead({ page, day }: { page: PageContext; day: number | null }) {
  if (day === null) return null
  const ago = dayAt(page.now, zoneOf(page)) - day
  const date = `${WEEKDAY_NAMES[(((day + 4) % 7) + 7) % 7]!.slice(0, 3)} ${dateWords(day)}`
  const name = ago === 0 ? 'Today' : ago === 1 ? 'Yesterday' : null
  return (
    <li class="day-head">
      <h3>{name ?? date}</h3>
      {name === null ? null : <span class="muted"> {date}</span>}
    </li>
  )
}
