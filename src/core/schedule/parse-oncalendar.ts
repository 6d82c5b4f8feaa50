import { type CalendarDays, calendarDayRule, readCalendarDays } from './calendar-days.js'
import { HOUR, MINUTE, numbersOf, readItems, SECOND } from './calendar-field.js'
import { numberSet } from './number-set.js'
import type { Rule } from './schedule.js'
import { ScheduleError } from './schedule-error.js'
import type { TimeRule } from './time-rule.js'
import { canonicalZone } from './zones/canonical-zone.js'

/** Source: systemd.time(7), the table of shorthands under CALENDAR EVENTS. */
const SHORTHANDS: Readonly<Record<string, string>> = {
  minutely: '*-*-* *:*:00',
  hourly: '*-*-* *:00:00',
  daily: '*-*-* 00:00:00',
  monthly: '*-*-01 00:00:00',
  weekly: 'Mon *-*-* 00:00:00',
  yearly: '*-01-01 00:00:00',
  annually: '*-01-01 00:00:00',
  quarterly: '*-01,04,07,10-01 00:00:00',
  semiannually: '*-01,07-01 00:00:00',
}

/** The parts of one OnCalendar line. */
export interface CalendarLine {
  readonly days: CalendarDays
  readonly times: TimeRule
  /** Canonical, or null if the line names none. */
  readonly zone: string | null
}

/** The rule of one OnCalendar line. Throws ScheduleError. */
export function parseOnCalendar(line: string): Rule {
  const { days, times, zone } = readLine(line)
  return { days: calendarDayRule(days), times, zone, skipped: 'dropped', repeated: 'first' }
}

/**
 * Reads one OnCalendar line: weekdays, date, time and time zone. Any may be absent, but not all except the zone.
 * Throws ScheduleError. Source: systemd.time(7), CALENDAR EVENTS.
 */
export function readLine(line: string): CalendarLine {
  const words = line.split(/\s+/).filter(word => word !== '')
  if (words.length === 0) throw new ScheduleError('line', line, 'an expression', 'is blank')
  const zone = words.length > 1 ? canonicalZone(words.at(-1)!) : null
  if (zone !== null) words.pop()
  const [weekdays, date, time] = sortWords(line, words.length === 1 ? expand(words[0]!) : words)
  return {
    days: readCalendarDays(weekdays, date ?? '*-*-*'),
    times: readTime(time ?? '00:00:00'),
    zone,
  }
}

function expand(word: string): string[] {
  const name = word.toLowerCase()
  return Object.hasOwn(SHORTHANDS, name) ? SHORTHANDS[name]!.split(' ') : [word]
}

type Sorted = [weekdays: string | null, date: string | null, time: string | null]

/** Sorts words into weekdays, date and time; a word that is neither date nor time must be weekdays. */
function sortWords(line: string, words: readonly string[]): Sorted {
  const sorted: Sorted = [null, null, null]
  let place = -1
  for (const word of words) {
    const kind = word.includes(':') ? 2 : /^[^a-z]*[-~]/i.test(word) ? 1 : 0
    if (kind === 0 && place > 0 && !/^(mon|tue|wed|thu|fri|sat|sun)/i.test(word)) {
      throw new ScheduleError('time zone', word, 'the name of a time zone such as Europe/Riga')
    }
    if (kind <= place) {
      throw new ScheduleError('line', line, 'weekdays, date, time and time zone, in this order and each once')
    }
    sorted[kind] = word
    place = kind
  }
  return sorted
}

function readTime(time: string): TimeRule {
  const parts = time.split(':')
  if (parts.length > 3) throw new ScheduleError('time', time, 'H:M or H:M:S')
  const [hour, minute, second = '0'] = parts as [string, string, string?]
  return {
    hours: numberSet(numbersOf(HOUR, readItems(HOUR, hour))),
    minutes: numberSet(numbersOf(MINUTE, readItems(MINUTE, minute))),
    seconds: numberSet(numbersOf(SECOND, readItems(SECOND, second))),
  }
}
