/** Explains the error in a typed schedule. */

import { sentence } from '../text/sentence.js'
import { parseSchedule, ScheduleError } from './index.js'

type ScheduleKind = 'cron' | 'oncalendar'

const EXAMPLES: Record<ScheduleKind, string> = { cron: '15 3 * * *', oncalendar: 'Mon..Fri 09:00' }

const FIVE_FIELDS =
  'A cron expression has five fields: minute, hour, day of the month, month, day of the week.'

/** Source: crontab(5) of Debian, EXTENSIONS. */
const CRON_SHORTHANDS: Readonly<Record<string, string>> = {
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
  if (fields === 5 && !text.includes('\n')) return parseProblem(text)
  if (parseProblem(text) === null) return 'This is an OnCalendar expression: choose “OnCalendar” below.'
  return `${FIVE_FIELDS} This has ${fields}.`
}

function calendarProblem(text: string): string | null {
  const problem = parseProblem(text)
  if (problem !== null) return problem
  return parseSchedule(text).kind === 'cron' ? 'This is a cron expression: choose “Cron” above.' : null
}

function parseProblem(text: string): string | null {
  try {
    parseSchedule(text)
    return null
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    return sentence(error.message)
  }
}
