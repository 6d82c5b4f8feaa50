/** The ranges of time that the timeline of all checks offers. */
import { dayAt, instantAt, startOfDay } from '../../time/calendar.js'
import type { Span } from '../../time/spans.js'

const HOUR_MS = 3_600_000
/** The longest range (ms), and the shortest. */
export const LONGEST_RANGE_MS = 31 * 24 * HOUR_MS
export const SHORTEST_RANGE_MS = 60_000

export interface LanePreset {
  name: 'hour' | 'night' | 'today' | 'yesterday' | 'week'
  label: string
}

export const LANE_PRESETS: readonly LanePreset[] = [
  { name: 'hour', label: 'Last hour' },
  { name: 'night', label: 'Last night' },
  { name: 'today', label: 'Today' },
  { name: 'yesterday', label: 'Yesterday' },
  { name: 'week', label: 'Last 7 days' },
]

/** The span (ms) of a preset at `now` by the clock of `tz`. The night is from 20:00 to 08:00. */
export function presetSpan(name: LanePreset['name'], now: number, tz: string): Span {
  const today = dayAt(now, tz)
  switch (name) {
    case 'hour':
      return { from: now - HOUR_MS, to: now }
    case 'night':
      return { from: instantAt(today - 1, 20 * 60, tz), to: instantAt(today, 8 * 60, tz) }
    case 'today':
      return { from: startOfDay(today, tz), to: startOfDay(today + 1, tz) }
    case 'yesterday':
      return { from: startOfDay(today - 1, tz), to: startOfDay(today, tz) }
    case 'week':
      return { from: startOfDay(today - 6, tz), to: startOfDay(today + 1, tz) }
  }
}

/** The span of the same length before or after `span`, or half as long or twice as long about its middle. */
export function movedSpan({ from, to }: Span, by: 'earlier' | 'later' | 'in' | 'out'): Span {
  const length = to - from
  switch (by) {
    case 'earlier':
      return { from: from - length, to: from }
    case 'later':
      return { from: to, to: to + length }
    case 'in':
      return { from: from + length / 4, to: to - length / 4 }
    case 'out':
      return { from: from - length / 2, to: to + length / 2 }
  }
}

/** The span within the limits of the timeline: in order, neither too short nor too long. */
export function rangeWithin({ from, to }: Span): Span {
  const end = Math.max(to, from + SHORTEST_RANGE_MS)
  return { from: Math.max(from, end - LONGEST_RANGE_MS), to: end }
}
