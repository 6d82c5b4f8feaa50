import { ScheduleError } from './schedule-error.js'

/** The range of one of the five fields of a cron expression. */
export interface CronField {
  readonly name: string
  readonly min: number
  readonly max: number
  /** Three-letter names, in order; the first one is `min`. */
  readonly names: readonly string[]
}

export const MINUTE: CronField = { name: 'minute', min: 0, max: 59, names: [] }
export const HOUR: CronField = { name: 'hour', min: 0, max: 23, names: [] }
export const DAY_OF_MONTH: CronField = { name: 'day of month', min: 1, max: 31, names: [] }
export const MONTH: CronField = {
  name: 'month',
  min: 1,
  max: 12,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
}
export const DAY_OF_WEEK: CronField = {
  name: 'day of week',
  min: 0,
  max: 7,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
}

/** The numbers in a list such as `1-5,10/2`, with repetitions. Throws ScheduleError. */
export function readList(field: CronField, text: string): number[] {
  return text.split(',').flatMap(item => readItem(field, item))
}

/**
 * The numbers in one item of a list: a star, a number or a range, with or without a step. A step after a single
 * number continues to the end of the field: `5/15` is `5-59/15`, and so is `5-5/15`.
 */
export function readItem(field: CronField, item: string): number[] {
  const slash = item.indexOf('/')
  if (slash < 0) return range(...readRange(field, item), 1)
  const [first, last] = readRange(field, item.slice(0, slash))
  return range(first, first === last ? field.max : last, readStep(field, item, slash))
}

/** The step after the slash in `item`. */
export function readStep(field: CronField, item: string, slash: number): number {
  const digits = item.slice(slash + 1)
  const step = isDigits(digits) ? Number(digits) : 0
  if (step === 0) throw new ScheduleError(field.name, item, 'followed by a step of 1 or more')
  return step
}

/** The value of a number or a name. Errors quote `item`. */
export function readValue(field: CronField, text: string, item = text): number {
  const named = field.names.indexOf(text.toUpperCase())
  if (named >= 0) return field.min + named
  const bounds = `${field.min}-${field.max}`
  if (!isDigits(text)) throw new ScheduleError(field.name, item, expectation(field))
  const value = Number(text)
  if (value < field.min || value > field.max) {
    throw new ScheduleError(field.name, item, bounds, `is outside ${bounds}`)
  }
  return value
}

function readRange(field: CronField, text: string): [number, number] {
  if (text === '*') return [field.min, field.max]
  const dash = text.indexOf('-')
  if (dash < 0) {
    const value = readValue(field, text)
    return [value, value]
  }
  const first = readValue(field, text.slice(0, dash), text)
  const last = readValue(field, text.slice(dash + 1), text)
  if (first > last) throw new ScheduleError(field.name, text, 'a range that ascends')
  return [first, last]
}

function range(first: number, last: number, step: number): number[] {
  const numbers: number[] = []
  for (let number = first; number <= last; number += step) numbers.push(number)
  return numbers
}

function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text)
}

function expectation({ min, max, names }: CronField): string {
  const orNames = names.length > 0 ? `, ${names[0]}-${names.at(-1)}` : ''
  return `* or a list of numbers (${min}-${max}${orNames}), ranges a-b and steps /n`
}
