import { lengthOf, type Span } from '../time/spans.js'
import type { Timed } from './silence.js'
import { windowsBetween } from './windows.js'

/** How long (ms) at least one of these silences was active between two instants. */
export function heldMs(silences: readonly Timed[], from: number, to: number): number {
  if (from >= to) return 0
  return lengthOf(joined(silences.flatMap(silence => windowsBetween(silence, from, to))))
}

/** The same time in spans that are in order and do not overlap. */
export function joined(spans: readonly Span[]): Span[] {
  const parts: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = parts.at(-1)
    if (last !== undefined && from <= last.to)
      parts[parts.length - 1] = { from: last.from, to: Math.max(last.to, to) }
    else parts.push({ from, to })
  }
  return parts
}
