/** Round times on an axis of time. */
import { dayAt, instantAt } from './calendar.js'
import { dateWords } from './date-words.js'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/** In minutes: divisors of a day, then days. */
const STEPS = [
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  180,
  360,
  720,
  ...[1, 2, 7, 14, 30, 60].map(days => days * DAY_MINUTES),
]

export interface TimeTick {
  at: number
  /** `03:00`, or at midnight `21 Aug`. */
  label: string
}

/** At most `most` round times between two instants (ms), by the clock of `tz`; none if they are minutes apart. */
export function timeTicks(from: number, to: number, tz: string, most: number): TimeTick[] {
  const step = STEPS.find(minutes => (to - from) / (minutes * MINUTE_MS) < most) ?? STEPS.at(-1)!
  const days = Math.max(1, step / DAY_MINUTES)
  const [first, last] = [dayAt(from, tz), dayAt(to, tz)]
  const ticks: TimeTick[] = []
  for (let day = Math.ceil(first / days) * days; day <= last; day += days) {
    for (let minutes = 0; minutes < DAY_MINUTES; minutes += Math.min(step, DAY_MINUTES)) {
      const at = instantAt(day, minutes, tz)
      if (at < from || at > to) continue
      // A time that the clock skips is shown as the end of the gap.
      if (ticks.at(-1)?.at === at) ticks.pop()
      ticks.push({ at, label: labelOf(day, minutes) })
    }
  }
  return ticks
}

function labelOf(day: number, minutes: number): string {
  if (minutes === 0) return dateWords(day).replace(/ \d+$/, '')
  return [Math.floor(minutes / 60), minutes % 60].map(part => String(part).padStart(2, '0')).join(':')
}
