/**
 * How long a check was down, by month and by day. Source: docs/behaviour.md, section 2.9.
 */

import type { Outage } from '../../instance/outage.js'
import { dayAt, monthAt, startOfDay, startOfMonth } from '../../time/calendar.js'
import { lengthOf, type Span, within, without } from '../../time/spans.js'
import type { Check, StoredStatus } from '../check.js'
import type { Flip } from '../flip.js'

/** A time in which a check had one stored status. */
export interface StatusSpan extends Span {
  status: StoredStatus
}

/** The history of a check. `flips` and `outages` are oldest first. */
export interface Past {
  check: Pick<Check, 'status' | 'createdAt'>
  flips: readonly Flip[]
  outages: readonly Pick<Outage, 'startedAt' | 'endedAt'>[]
}

/** The downtime in a calendar month or a day. */
export interface Downtime extends Span {
  /** The number of downtimes; one across a boundary counts on both sides. */
  downtimes: number
  downtimeMs: number
}

/**
 * The percentage of the time in which the check was up or down that it was up, cut to two decimals. So the time before
 * its first ping, while it was paused, in outages of Punctual, and still to come does not count. Null without such time.
 */
export interface Uptime extends Downtime {
  uptime: number | null
}

/** A calendar month; `month` as in calendar.ts. */
export interface MonthUptime extends Uptime {
  month: number
}

/** One day of the bar. Both statuses are null before the check was created. */
export interface DayBar extends Downtime {
  day: number
  /** The worst status of the day. */
  worst: StoredStatus | null
  /** The worst status of the day outside of its downtimes; null if there was no other. */
  rest: StoredStatus | null
}

/** The statuses of a check from its creation until `now`, oldest first, without gaps. */
export function statusSpans({ check, flips }: Pick<Past, 'check' | 'flips'>, now: number): StatusSpan[] {
  const spans: StatusSpan[] = []
  let from = Math.min(check.createdAt, flips[0]?.createdAt ?? check.createdAt)
  for (const flip of flips) {
    const to = Math.max(flip.createdAt, from)
    if (to > from) spans.push({ from, to, status: flip.oldStatus })
    from = to
  }
  if (now > from) spans.push({ from, to: now, status: check.status })
  return spans
}

/**
 * The month of `now` and the ones before it, `count` in all, newest first; null for a month that ended before the
 * check was created. Months are those of the clock of `tz`.
 */
export function monthlyUptime(past: Past, tz: string, now: number, count = 3): (MonthUptime | null)[] {
  const spans = statusSpans(past, now)
  const gaps = gapsOf(past)
  const newest = monthAt(now, tz)
  return Array.from({ length: count }, (_, back) => {
    const month = newest - back
    const span = { from: startOfMonth(month, tz), to: startOfMonth(month + 1, tz) }
    if (past.check.createdAt >= span.to) return null
    return { ...uptimeOf(span, spans, gaps), month }
  })
}

/**
 * The uptime within `span`, which began before `now`; null if it ended before the check was created. `past.flips` may
 * be limited to those since the beginning of the span.
 */
export function uptimeWithin(past: Past, span: Span, now: number): Uptime | null {
  if (past.check.createdAt >= span.to) return null
  return uptimeOf(span, statusSpans(past, now), gapsOf(past))
}

/** The last `count` days until `now` by the clock of `tz`, oldest first. */
export function dayBars(past: Past, tz: string, now: number, count = 90): DayBar[] {
  const spans = statusSpans(past, now)
  const gaps = gapsOf(past)
  const watchedIn = partsIn(without(spans, gaps))
  const downIn = partsIn(spans.filter(isDown))
  const first = dayAt(now, tz) - count + 1
  const starts = Array.from({ length: count + 1 }, (_, index) => startOfDay(first + index, tz))
  return Array.from({ length: count }, (_, index) => {
    const span = { from: starts[index]!, to: starts[index + 1]! }
    const seen = watchedIn(span)
    const [worst = null, second = null] = WORST_FIRST.filter(status =>
      seen.some(one => one.status === status),
    )
    const rest = worst === 'down' ? second : worst
    const { from, to, downtimes, downtimeMs } = downtimeOf(span, downIn(span), gaps)
    // A copy of these members would take longer than all else.
    return { from, to, downtimes, downtimeMs, day: first + index, worst, rest }
  })
}

/** Returns a function that finds the parts of `spans` inside bounds, which it must be asked for in the order of time. */
function partsIn(spans: readonly StatusSpan[]): (bounds: Span) => StatusSpan[] {
  let place = 0
  return bounds => {
    while (place < spans.length && spans[place]!.to <= bounds.from) place++
    const parts: StatusSpan[] = []
    for (let next = place; next < spans.length && spans[next]!.from < bounds.to; next++) {
      const part = within(spans[next]!, bounds)
      if (part) parts.push(part)
    }
    return parts
  }
}

const isDown = ({ status }: StatusSpan) => status === 'down'

const WORST_FIRST: readonly StoredStatus[] = ['down', 'paused', 'up', 'new']
const KNOWN: readonly StoredStatus[] = ['up', 'down']

function gapsOf({ outages }: Past): Span[] {
  return outages.map(({ startedAt, endedAt }) => ({ from: startedAt, to: endedAt }))
}

function uptimeOf(span: Span, spans: readonly StatusSpan[], gaps: readonly Span[]): Uptime {
  const down = spans.flatMap(one => (isDown(one) ? (within(one, span) ?? []) : []))
  const downtime = downtimeOf(span, down, gaps)
  const known = spans.flatMap(one => (KNOWN.includes(one.status) ? (within(one, span) ?? []) : []))
  const knownMs = lengthOf(without(known, gaps))
  if (knownMs === 0) return { ...downtime, uptime: null }
  return { ...downtime, uptime: Math.floor(((knownMs - downtime.downtimeMs) / knownMs) * 10_000) / 100 }
}

/** The downtime in `span`, in which the check was down in the parts `down`. */
function downtimeOf({ from, to }: Span, down: readonly Span[], gaps: readonly Span[]): Downtime {
  const lengths = down.map(part => lengthOf(without([part], gaps))).filter(length => length > 0)
  return { from, to, downtimes: lengths.length, downtimeMs: lengths.reduce((sum, length) => sum + length, 0) }
}
