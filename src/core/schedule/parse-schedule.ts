import { nextAfter } from './occurrences.js'
import { parseCron } from './parse-cron.js'
import { parseOnCalendar } from './parse-oncalendar.js'
import type { Schedule } from './schedule.js'
import { ScheduleError } from './schedule-error.js'

/** The maximum number of parsed schedules that are cached; the least recently used is dropped first. */
const CACHE_SIZE = 5_000

const START_OF_2000 = Date.UTC(2000, 0, 1)

const parsed = new Map<string, Schedule>()

/**
 * Parses a schedule: a cron expression if `text` is one line of exactly five words, else OnCalendar expressions, one
 * per line. Equal texts share one result.
 *
 * Throws ScheduleError, also for a schedule without an occurrence after 2000-01-01T00:00
 * (UTC, or the line's own zone).
 */
export function parseSchedule(text: string): Schedule {
  const known = parsed.get(text)
  const schedule = known ?? readSchedule(text)
  if (known !== undefined) parsed.delete(text)
  else if (parsed.size >= CACHE_SIZE) parsed.delete(parsed.keys().next().value!)
  parsed.set(text, schedule)
  return schedule
}

function readSchedule(text: string): Schedule {
  const lines = text.trim().split('\n')
  const words = lines[0]!.trim().split(/\s+/)
  const schedule: Schedule =
    lines.length === 1 && words.length === 5
      ? { kind: 'cron', text, rules: [parseCron(words)] }
      : { kind: 'oncalendar', text, rules: lines.map(parseOnCalendar) }
  if (nextAfter(schedule, 'UTC', START_OF_2000) === null) {
    throw new ScheduleError(
      'schedule',
      text,
      'a schedule that occurs after 2000-01-01',
      'never occurs after 2000-01-01',
    )
  }
  return schedule
}
