/**
 * Windows that begin at the occurrences of a schedule. They are put together from those of days, because one that begins each minute would
 * cost a search in the calendar and in the zone for each. A time that the clock skips is the first instant after the gap; one that
 * it repeats happens once, whatever the rules of the schedule say. Pure; instants in ms.
 */
import { addSpan, cutTo, unionOf } from '../../time/edges.js'
import type { Span } from '../../time/spans.js'
import { lastMonthFrom } from '../occurrences.js'
import type { Rule, Schedule } from '../schedule.js'
import { lowestUnseen } from '../zones/wall-clock.js'
import { type Zone, zoneNamed } from '../zones/zone.js'
import { DayWindows } from './day-windows.js'

export interface Windows {
  schedule: Schedule
  /** The zone of lines that name none. */
  tz: string
  /** How long each lasts. */
  lengthSeconds: number
  /** None begins before. */
  since: number
}

/** The windows that are active in a span, cut to it, as in edges.ts. RangeError if there is no such zone. */
export function windowsWithin(
  { schedule, tz, lengthSeconds, since }: Windows,
  span: Span,
): readonly number[] {
  const lengthMs = lengthSeconds * 1000
  const starts = { from: Math.max(since, span.from + 1 - lengthMs), to: span.to }
  if (span.from >= span.to || starts.from >= starts.to) return []
  const lines = new Map<Zone, Rule[]>()
  for (const rule of schedule.rules) {
    const zone = zoneNamed(rule.zone ?? tz)
    lines.set(zone, [...(lines.get(zone) ?? []), rule])
  }
  let windows: readonly number[] = []
  for (const [zone, rules] of lines) {
    const days = new DayWindows(rules, lengthSeconds, lastMonthFrom(schedule, span.from))
    windows = unionOf(windows, beginningIn(starts, { zone, days, lengthMs }))
  }
  return cutTo(windows, span)
}

/** The windows that begin between two instants. */
function beginningIn(
  { from, to }: Span,
  { zone, days, lengthMs }: { zone: Zone; days: DayWindows; lengthMs: number },
): number[] {
  const windows: number[] = []
  for (let at = from; at < to; ) {
    const { until, offset } = zone.at(at)
    const end = Math.min(until, to)
    const shown = at + offset
    const unseen = lowestUnseen(zone, at - 1)
    for (const skipped of days.beginningIn({ from: unseen, to: shown })) {
      if (skipped.length > 0) addSpan(windows, at, at + lengthMs)
    }
    for (const edges of days.beginningIn({ from: Math.max(unseen, shown), to: end + offset })) {
      for (let i = 0; i < edges.length; i += 2) {
        addSpan(windows, edges[i]! - offset, edges[i + 1]! - offset)
      }
    }
    at = end
  }
  return windows
}
