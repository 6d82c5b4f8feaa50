/**
 * The windows of a silence. Overlapping windows are one. A start that a clock change skips is the first instant after
 * the gap; one that it repeats happens once. Pure; instants in ms, and the end of a window is excluded.
 */
import {
  mostWindowsADay,
  nextAfter,
  parseSchedule,
  previousBefore,
  previousWithin,
  type Schedule,
  windowsWithin,
} from '../schedule/index.js'
import { joinerOf } from '../time/joiner.js'
import { type Span, within } from '../time/spans.js'
import type { RecurringTimes, SilenceTimes, Timed } from './silence.js'

/** How far ahead the end of a window is looked for: longer ones are looked at again. */
const HORIZON_MS = 366 * 86_400_000
/** The maximum number of starts that are joined to one window: a schedule may start a window each minute for ever. */
const MOST_JOINED = 500
/** The maximum number of starts of single lines that are looked up for that: an OnCalendar schedule may have 25 lines. */
const MOST_LOOKED_UP = 1_000

/** Whether the silence is active at `instant`. */
export function activeAt({ times, endedAt, appliesFrom }: Timed, instant: number): boolean {
  if (endedAt !== null && instant >= endedAt) return false
  if (instant < (appliesFrom ?? instant)) return false
  if (times.kind === 'once') return instant >= times.from && instant < times.to
  return startOfWindow(times, instant) !== null
}

/**
 * When the silence next begins or ceases to be active after `instant`, or null if never. The end of a window that
 * lasts longer than `horizonMs`, or that many starts continue, may be given too early.
 */
export function nextChangeAfter(
  silence: Timed,
  instant: number,
  horizonMs: number = HORIZON_MS,
): number | null {
  const window = firstWindow(silence, instant, instant + horizonMs)
  if (window === null) return nextStart(silence, instant)
  return window.from > instant ? window.from : window.to
}

/** Returns when at least one of some silences is active, as in edges.ts. */
export type ActiveTimes = (some: Iterable<Timed>) => readonly number[]

/** When some of these silences are active in a span. The windows of each are computed once, however often it is asked for. */
export function activeAmong(silences: Iterable<Timed>, span: Span): ActiveTimes {
  const numbers = new Map<Timed, number>()
  for (const silence of silences) if (!numbers.has(silence)) numbers.set(silence, numbers.size)
  const joined = joinerOf(Array.from(numbers.keys(), silence => activeWithin(silence, span)))
  return some => joined(Array.from(some, silence => numbers.get(silence)!))
}

/** When the silence is active in a span, as in edges.ts. */
export function activeWithin({ times, endedAt, appliesFrom }: Timed, span: Span): readonly number[] {
  const from = Math.max(span.from, appliesFrom ?? span.from)
  const until = Math.min(span.to, endedAt ?? span.to)
  if (times.kind === 'once') {
    const span = within(times, { from, to: until })
    return span === null ? [] : [span.from, span.to]
  }
  const { schedule, tz, durationSeconds: lengthSeconds, from: since } = times
  return windowsWithin({ schedule: parseSchedule(schedule), tz, lengthSeconds, since }, { from, to: until })
}

/** The number of windows that begin on one day, at most. */
export function windowsADay(times: SilenceTimes): number {
  if (times.kind === 'once') return 0
  return mostWindowsADay(parseSchedule(times.schedule).rules, times.durationSeconds)
}

/** When nothing of the silence is active any more, or null if it recurs without end. */
export function overAt({ times, endedAt }: Timed): number | null {
  const end = times.kind === 'once' ? times.to : lastEnd(times)
  return endedAt === null ? end : Math.min(endedAt, end ?? endedAt)
}

/**
 * The window that is active at `instant`, or the first after it that begins before `until`; null if there is none. Its end is right only up
 * to `until`, and may be too early if very many starts continue it.
 */
function firstWindow({ times, endedAt }: Timed, instant: number, until: number): Span | null {
  if (endedAt !== null && endedAt <= instant) return null
  const last = Math.min(until, endedAt ?? until)
  if (times.kind === 'once') {
    const to = Math.min(times.to, endedAt ?? times.to)
    return to > instant && times.from < last && to > times.from ? { from: times.from, to } : null
  }
  const start = startOfWindow(times, instant) ?? startAfter(times, instant)
  if (start === null || start >= last) return null
  const end = endOfWindow(times, start, last)
  return { from: start, to: Math.min(end, endedAt ?? end) }
}

function nextStart({ times, endedAt }: Timed, instant: number): number | null {
  const start =
    times.kind === 'once' ? (times.from > instant ? times.from : null) : startAfter(times, instant)
  return start === null || (endedAt !== null && start >= endedAt) ? null : start
}

/** The latest start whose window contains `instant`, or null. */
function startOfWindow(times: RecurringTimes, instant: number): number | null {
  const since = Math.max(times.from, instant + 1 - lengthMs(times))
  return previousWithin(scheduleOf(times), times.tz, since, instant + 1)
}

function startAfter(times: RecurringTimes, instant: number): number | null {
  return nextAfter(scheduleOf(times), times.tz, Math.max(instant, times.from - 1))
}

/**
 * The end of the window that begins at `start` with those that overlap it, or an instant at or after `until`; of the first
 * {@link MOST_JOINED} if there are more, fewer if the schedule has more than two lines.
 */
function endOfWindow(times: RecurringTimes, start: number, until: number): number {
  const schedule = scheduleOf(times)
  const length = lengthMs(times)
  const most = Math.min(MOST_JOINED, MOST_LOOKED_UP / schedule.rules.length)
  let end = start + length
  for (let count = 0; end < until && count < most; count++) {
    // Windows that touch are one, too.
    const further = previousWithin(schedule, times.tz, end + 1 - length, end + 1)
    if (further === null) break
    end = further + length
  }
  return end
}

/** The end of the last window; null if there is none known. */
function lastEnd(times: RecurringTimes): number | null {
  if (times.kind === 'cron') return null
  const last = previousBefore(scheduleOf(times), times.tz, END_OF_TIME)
  if (last === null || last > ENDLESS) return null
  return Math.max(last, times.from) + lengthMs(times)
}

/** OnCalendar is searched to the end of 2199. A schedule that occurs in its last ten years counts as endless. */
const END_OF_TIME = Date.UTC(2200, 0, 1)
const ENDLESS = Date.UTC(2190, 0, 1)

function lengthMs({ durationSeconds }: RecurringTimes): number {
  return durationSeconds * 1000
}

/** The schedule of the starts: unlike those of a job, they happen once whatever the clock does. */
function scheduleOf({ schedule: text }: RecurringTimes): Schedule {
  const schedule = parseSchedule(text)
  let starts = startsOf.get(schedule)
  if (starts === undefined) {
    const rules = schedule.rules.map(rule => ({ ...rule, skipped: 'moved', repeated: 'first' }) as const)
    starts = { ...schedule, rules }
    startsOf.set(schedule, starts)
  }
  return starts
}

const startsOf = new WeakMap<Schedule, Schedule>()
