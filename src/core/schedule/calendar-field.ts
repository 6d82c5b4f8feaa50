import { ScheduleError } from './schedule-error.js'

/** The range of one field of an OnCalendar date or time. */
export interface CalendarField {
  readonly name: string
  readonly min: number
  readonly max: number
}

export const YEAR: CalendarField = { name: 'year', min: 1970, max: 2199 }
export const MONTH: CalendarField = { name: 'month', min: 1, max: 12 }
export const DAY: CalendarField = { name: 'day', min: 1, max: 31 }
export const DAY_FROM_END: CalendarField = { name: 'day from the end', min: 1, max: 28 }
export const HOUR: CalendarField = { name: 'hour', min: 0, max: 23 }
export const MINUTE: CalendarField = { name: 'minute', min: 0, max: 59 }
export const SECOND: CalendarField = { name: 'second', min: 0, max: 59 }

/** One item of a list: from `first` to `last` by `step`; `last` is null if a step has no end. */
export interface CalendarItem {
  readonly first: number
  readonly last: number | null
  readonly step: number
}

/**
 * The items of a list such as `1,4..8/2,10/5`, or null for a lone `*`. Throws ScheduleError. Source:
 * systemd.time(7), CALENDAR EVENTS.
 */
export function readItems(field: CalendarField, text: string): CalendarItem[] | null {
  if (text === '*') return null
  return text.split(',').map(item => readItem(field, item))
}

/** The numbers in `items`, with an open step continued to the end of the field; all numbers for null. */
export function numbersOf(field: CalendarField, items: CalendarItem[] | null): number[] {
  return (items ?? [{ first: field.min, last: field.max, step: 1 }]).flatMap(({ first, last, step }) => {
    const numbers: number[] = []
    for (let number = first; number <= (last ?? field.max); number += step) numbers.push(number)
    return numbers
  })
}

function readItem(field: CalendarField, item: string): CalendarItem {
  const slash = item.indexOf('/')
  const range = slash < 0 ? item : item.slice(0, slash)
  const step = slash < 0 ? 1 : readStep(field, item, item.slice(slash + 1))
  const dots = range.indexOf('..')
  if (dots < 0) {
    const first = readNumber(field, range, item)
    return { first, last: slash < 0 ? first : null, step }
  }
  const first = readNumber(field, range.slice(0, dots), item)
  const last = readNumber(field, range.slice(dots + 2), item)
  if (first > last) throw new ScheduleError(field.name, item, 'a range that ascends')
  return { first, last, step }
}

function readNumber(field: CalendarField, text: string, item: string): number {
  if (!/^[0-9]+$/.test(text)) {
    throw new ScheduleError(field.name, item, '* alone or a list of numbers, ranges a..b and steps a/n')
  }
  const number = field === YEAR && text.length === 2 ? inCentury(Number(text)) : Number(text)
  if (number < field.min || number > field.max) {
    throw new ScheduleError(
      field.name,
      item,
      `${field.min}-${field.max}`,
      `is outside ${field.min}-${field.max}`,
    )
  }
  return number
}

/** Two digits mean 1970 to 2069. */
function inCentury(number: number): number {
  return number >= 70 ? 1900 + number : 2000 + number
}

function readStep(field: CalendarField, item: string, digits: string): number {
  const step = /^[0-9]+$/.test(digits) ? Number(digits) : 0
  if (step === 0) throw new ScheduleError(field.name, item, 'followed by a step of 1 or more')
  return step
}
