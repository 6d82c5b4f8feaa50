/** Explains the error in a typed schedule. */

import { sentence } from '../text/sentence.js'
import { parseSchedule, ScheduleError } from './index.js'
import { parseOnCalendar } from './parse-oncalendar.js'

type ScheduleKind = 'cron' | 'oncalendar'

const EXAMPLES: Record<ScheduleKind, string> = { cron: '15 3 * * *', oncalendar: 'Mon..Fri 09:00' }

const FIVE_FIELDS =
  'A cron expression has five fields: minute, hour, day of the month, month, day of the week.'

/** Words for times, and their five fields. Source: crontab(5) of Debian, EXTENSIONS. */
export const CRON_SHORTHANDS: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

/** A sentence that says what would be right, or null if `text` (trimmed) is a valid schedule of `kind`. */
export function scheduleProblem(kind: ScheduleKind, text: string): string | null {
  if (text === '') return `Enter a schedule, such as ${EXAMPLES[kind]}.`
  if ([...text].length > 100) return `At most 100 characters; this has ${[...text].length}.`
  return kind === 'cron' ? cronProblem(text) : calendarProblem(text)
}

function cronProblem(text: string): string | null {
  const shorthand = CRON_SHORTHANDS[text.toLowerCase()]
  if (shorthand) return `Write ${text} as five fields: ${shorthand}.`
  const fields = text.split(/\s+/).length
  if (fields === 5 && !text.includes('\n')) return inCron(errorOf(() => parseSchedule(text)))
  if (errorOf(() => parseSchedule(text)) === null) {
    return 'This is an OnCalendar expression: choose “OnCalendar”.'
  }
  return `${FIVE_FIELDS} This has ${fields}.`
}

/** The five fields, as errors name them and as `FIVE_FIELDS` does, with what is allowed besides `*`. */
const CRON_PARTS: Readonly<Record<string, { place: string; name: string; allowed: string }>> = {
  minute: { place: 'first', name: 'minute', allowed: '0-59' },
  hour: { place: 'second', name: 'hour', allowed: '0-23' },
  'day of month': { place: 'third', name: 'day of the month', allowed: '1-31 or L' },
  month: { place: 'fourth', name: 'month', allowed: '1-12 or JAN-DEC' },
  'day of week': { place: 'fifth', name: 'day of the week', allowed: '0-7 or SUN-SAT' },
}

/** Says which of the five fields is wrong, and what it may contain. */
function inCron(error: ScheduleError | null): string | null {
  if (error === null) return null
  const part = CRON_PARTS[error.field]
  if (!part) return sentence(error.message)
  const { place, name, allowed } = part
  // What is expected of a value is a range or begins with a star; anything else concerns a whole item.
  const isValue = /^[*\d]/.test(error.expected)
  const problem = isValue ? `cannot be "${error.found}"` : `is wrong: ${complaintOf(error)}`
  return `The ${place} field, the ${name}, ${problem}. Use ${allowed}, lists 1,3, ranges 1-5, steps */2 or *.`
}

function calendarProblem(text: string): string | null {
  const lines = text.split('\n')
  if (lines.length === 1 && text.split(/\s+/).length === 5) {
    if (errorOf(() => parseSchedule(text)) === null) return 'This is a cron expression: choose “Cron”.'
  }
  if (text.startsWith('@') && errorOf(() => parseOnCalendar(text.slice(1))) === null) {
    return `Write ${text.slice(1)}, without the @.`
  }
  for (const [index, line] of lines.entries()) {
    const error = errorOf(() => parseOnCalendar(line))
    if (error !== null) return inCalendar(error, lines.length > 1 ? `Line ${index + 1}: ` : '')
  }
  const error = errorOf(() => parseSchedule(text))
  return error && sentence(error.message)
}

const CALENDAR_LINE = 'weekdays, date, time and time zone, in this order and each at most once'

function inCalendar(error: ScheduleError, where: string): string {
  if (error.field !== 'line') return sentence(`${where}${error.message}`)
  if (error.found.trim() === '') return sentence(`${where}this is blank; remove it`)
  return sentence(`${where}an OnCalendar expression has ${CALENDAR_LINE}, such as ${EXAMPLES.oncalendar}`)
}

/** What is wrong with the part, without its name. */
function complaintOf({ field, message }: ScheduleError): string {
  return message.slice(`${field}: `.length)
}

function errorOf(parse: () => unknown): ScheduleError | null {
  try {
    parse()
    return null
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    return error
  }
}
