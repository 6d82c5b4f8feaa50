/**
 * The windows of a silence. Overlapping windows are one. A start that a clock change skips is the first instant after
 * the gap; one that it repeats happens once. Pure; instants in ms, and the end of a window is excluded.
 */
import { nextAfter, parseSchedule, previousBefore, previousWithin, type Schedule } from '../schedule/index.js'
import { joined, type Span } from '../time/spans.js'
import type { RecurringTimes, Timed } from './silence.js'

/** How far ahead the end of a window is looked for: longer ones are looked at again. */
const HORIZON_MS = 366 * 86_400_000
/** The maximum number of starts that are joined to one window: a schedule may start a window each minute for ever. */
const MOST_JOINED = 500
/** The maximum number of starts of single lines that are looked up for that: an OnCalendar schedule may have 25 lines. */
const MOST_LOOKED_UP = 1_000

/** Whether the silence is active at `instant`. */
export function activeAt({ times, endedAt }: Timed, instant: number): boolean {
  if (endedAt !== null && instant >= endedAt) return false
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
  const [window] = windowsFrom(silence, instant, instant + horizonMs)
  if (window === undefined) return nextStart(silence, instant)
  return window.from > instant ? window.from : window.to
}

/** The windows between two instants, in order, cut to them. */
export function windowsBetween(silence: Timed, from: number, to: number): Span[] {
  const windows: Span[] = []
  for (const window of windowsFrom(silence, from, to)) {
    windows.push({ from: Math.max(window.from, from), to: Math.min(window.to, to) })
  }
  return joined(windows)
}

/** When nothing of the silence is active any more, or null if it recurs without end. */
export function overAt({ times, endedAt }: Timed): number | null {
  const end = times.kind === 'once' ? times.to : lastEnd(times)
  return endedAt === null ? end : Math.min(endedAt, end ?? endedAt)
}

/**
 * The windows that reach past `from` and begin before `until`, in order. Their ends are right only up to `until`; one that
 * very many starts continue comes in parts.
 */
function* windowsFrom({ times, endedAt }: Timed, from: number, until: number): Generator<Span, void> {
  if (endedAt !== null && endedAt <= from) return
  const last = Math.min(until, endedAt ?? until)
  if (times.kind === 'once') {
    const to = Math.min(times.to, endedAt ?? times.to)
    if (to > from && times.from < last && to > times.from) yield { from: times.from, to }
    return
  }
  let start = startOfWindow(times, from) ?? startAfter(times, from)
  while (start !== null && start < last) {
    const end = endOfWindow(times, start, last)
    yield { from: start, to: Math.min(end, endedAt ?? end) }
    start = end >= last ? null : (startOfWindow(times, end) ?? startAfter(times, end))
  }
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
