/**
 * When reports and reminders are sent, and the period that a report covers. Source:
 * docs/behaviour.md, sections 2.8 and 9.6.
 */

import { firstDayOf, monthOf, weekdayOf } from '../schedule/civil-month.js'
import { dayAt, instantAt, startOfDay } from '../time/calendar.js'
import { dateWords, monthWords } from '../time/date-words.js'
import type { Span } from '../time/spans.js'

export const REPORTS = ['off', 'daily', 'weekly', 'monthly'] as const
export type ReportFrequency = (typeof REPORTS)[number]

/** The intervals of reminders of checks that are down, in seconds; 0: never. */
export const NAG_SECONDS = [0, 3_600, 86_400] as const

/** What a new account gets; the tables have the same defaults. */
export const NEW_WISHES = { reports: 'monthly', nagSeconds: 0 } as const

/** Reports are sent between 9 and 11 o'clock, to each person at a minute of their own, to spread the load. */
const FIRST_MINUTE = 9 * 60
const MINUTES = 120

const MONDAY = 1

/**
 * The instant of the next report after `now`, by the clock of `tz`: tomorrow, the next Monday, or the next first of a
 * month. Null for `off`. `spread`: a whole number that is fixed for the person.
 */
export function nextReportAt(
  frequency: ReportFrequency,
  tz: string,
  now: number,
  spread: number,
): number | null {
  if (frequency === 'off') return null
  const day = nextDay(frequency, dayAt(now, tz))
  return instantAt(day, FIRST_MINUTE + (Math.abs(spread) % MINUTES), tz)
}

function nextDay(frequency: Exclude<ReportFrequency, 'off'>, today: number): number {
  if (frequency === 'monthly') return firstDayOf(monthOf(today) + 1)
  const tomorrow = today + 1
  return frequency === 'daily' ? tomorrow : tomorrow + ((MONDAY - weekdayOf(tomorrow) + 7) % 7)
}

/** The period that a report covers, and its title: `5 Mar 2026`, `2 Mar 2026 to 8 Mar 2026`, `February 2026`. */
export interface ReportPeriod extends Span {
  title: string
}

/** The last whole day, week (Monday to Sunday) or month that was over at `now`, by the clock of `tz`. */
export function reportPeriod(
  frequency: Exclude<ReportFrequency, 'off'>,
  tz: string,
  now: number,
): ReportPeriod {
  const [first, end] = daysOf(frequency, dayAt(now, tz))
  return {
    from: startOfDay(first, tz),
    to: startOfDay(end, tz),
    title: titleOf(frequency, first, end - 1),
  }
}

function daysOf(frequency: Exclude<ReportFrequency, 'off'>, today: number): [first: number, end: number] {
  if (frequency === 'daily') return [today - 1, today]
  if (frequency === 'monthly') return [firstDayOf(monthOf(today) - 1), firstDayOf(monthOf(today))]
  const monday = today - ((weekdayOf(today) - MONDAY + 7) % 7)
  return [monday - 7, monday]
}

function titleOf(frequency: Exclude<ReportFrequency, 'off'>, first: number, last: number): string {
  if (frequency === 'monthly') return monthWords(monthOf(first))
  return first === last ? dateWords(first) : `${dateWords(first)} to ${dateWords(last)}`
}

/** A person without pings for this long (ms) is sent nothing. Source: docs/behaviour.md, section 2.8. */
export const SILENT_MS = 180 * 86_400_000
