import { addSpan, unionOf } from '../../time/edges.js'
import type { Span } from '../../time/spans.js'
import { monthOf } from '../civil-month.js'
import { dayAtLeast } from '../day-rule.js'
import { includes } from '../number-set.js'
import type { Rule } from '../schedule.js'
import { type TimeRule, timeAtLeast, timeAtMost } from '../time-rule.js'

const DAY_S = 86_400
const DAY_MS = DAY_S * 1000

/** The windows of some lines by the readings of one clock, see zones/wall-clock.ts. Those of a day are computed once for all days of the same lines. */
export class DayWindows {
  readonly #ofDays = new Map<string, readonly number[]>()

  constructor(
    private readonly rules: readonly Rule[],
    private readonly lengthSeconds: number,
    /** The last month in which they begin. */
    private readonly lastMonth: number,
  ) {}

  /** The windows that begin from a reading up to another, as in edges.ts, for each day: in order, but one may touch that of the day before. */
  *beginningIn({ from, to }: Span): Generator<number[], void> {
    const last = Math.floor((to - 1) / DAY_MS)
    for (
      let day = this.#dayAtLeast(Math.floor(from / DAY_MS));
      day <= last;
      day = this.#dayAtLeast(day + 1)
    ) {
      const start = day * DAY_MS
      const seconds = {
        from: Math.max(0, Math.ceil((from - start) / 1000)),
        to: Math.min(DAY_S, Math.ceil((to - start) / 1000)),
      }
      const edges = this.#ofDay(day, seconds)
      yield edges.map(second => start + second * 1000)
    }
  }

  /** The first day with an occurrence at or after `day`; infinite if there is none. */
  #dayAtLeast(day: number): number {
    const days = this.rules.map(rule => dayAtLeast(rule.days, day, this.lastMonth))
    return Math.min(...days.map(one => one ?? Number.POSITIVE_INFINITY))
  }

  #ofDay(day: number, seconds: Span): readonly number[] {
    const month = monthOf(day)
    const rules = this.rules.filter(rule => dayAtLeast(rule.days, day, month) === day)
    if (seconds.from > 0 || seconds.to < DAY_S) {
      return together(rules, ({ times }) => windowsAt(times, this.lengthSeconds, seconds))
    }
    const key = rules.map(rule => this.rules.indexOf(rule)).join()
    let edges = this.#ofDays.get(key)
    if (edges === undefined) {
      edges = together(rules, ({ times }) => windowsOfDay(times, this.lengthSeconds))
      this.#ofDays.set(key, edges)
    }
    return edges
  }
}

function together(rules: readonly Rule[], windowsOf: (rule: Rule) => readonly number[]): readonly number[] {
  return rules.reduce<readonly number[]>((edges, rule) => unionOf(edges, windowsOf(rule)), [])
}

/** The number of windows on a day on which all lines have occurrences; those of a line that touch are one. */
export function mostWindowsADay(rules: readonly Rule[], lengthSeconds: number): number {
  return rules.reduce((sum, { times }) => sum + windowsOfDay(times, lengthSeconds).length / 2, 0)
}

/** The windows that begin at the times of a day, in its seconds: those of an hour are the same in each. */
function windowsOfDay(times: TimeRule, length: number): number[] {
  const first = Math.floor(timeAtLeast(times, 0) / 3600) * 3600
  const ofHour = windowsAt(times, length, { from: first, to: first + 3600 })
  const edges: number[] = []
  for (let hour = 0; hour < 24; hour++) {
    if (!includes(times.hours, hour)) continue
    const later = hour * 3600 - first
    for (let i = 0; i < ofHour.length; i += 2) addSpan(edges, ofHour[i]! + later, ofHour[i + 1]! + later)
  }
  return edges
}

/** The windows that begin at times from a second of the day up to another. Those that touch are one. */
function windowsAt(times: TimeRule, length: number, { from, to }: Span): number[] {
  const edges: number[] = []
  for (let next = from; next < to; ) {
    const start = timeAtLeast(times, next)
    if (start < 0 || start >= to) break
    let last = start
    for (let further = -1; further !== last; ) {
      last = Math.max(last, further)
      further = timeAtMost(times, Math.min(last + length, to - 1))
    }
    edges.push(start, last + length)
    next = last + length + 1
  }
  return edges
}
