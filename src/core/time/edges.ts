/**
 * A time in spans, as the list of the instants (ms) at which it begins and ends, by turns; each is later than the one before. Plain numbers,
 * because hundreds of thousands of spans are computed and joined at once.
 */
import type { Span } from './spans.js'

/** Adds a span that begins no earlier than the last one of `edges`; spans that touch are one. */
export function addSpan(edges: number[], from: number, to: number): void {
  const last = edges.length - 1
  if (last < 0 || from > edges[last]!) edges.push(from, to)
  else if (to > edges[last]!) edges[last] = to
}

/** The time that is in one or the other. */
export function unionOf(a: readonly number[], b: readonly number[]): readonly number[] {
  if (a.length === 0) return b
  if (b.length === 0) return a
  const union: number[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (j === b.length || (i < a.length && a[i]! <= b[j]!)) {
      addSpan(union, a[i]!, a[i + 1]!)
      i += 2
    } else {
      addSpan(union, b[j]!, b[j + 1]!)
      j += 2
    }
  }
  return union
}

/** The part of the time inside a span. */
export function cutTo(edges: readonly number[], { from, to }: Span): readonly number[] {
  if (edges.length === 0 || (edges[0]! >= from && edges.at(-1)! <= to)) return edges
  const inside: number[] = []
  for (let i = 0; i < edges.length; i += 2) {
    const [begin, end] = [Math.max(edges[i]!, from), Math.min(edges[i + 1]!, to)]
    if (begin < end) inside.push(begin, end)
  }
  return inside
}

/** The time of spans in any order, which may overlap. */
export function edgesOf(spans: readonly Span[]): number[] {
  const edges: number[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) addSpan(edges, from, to)
  return edges
}

export function spansOf(edges: readonly number[]): Span[] {
  const spans: Span[] = []
  for (let i = 0; i < edges.length; i += 2) spans.push({ from: edges[i]!, to: edges[i + 1]! })
  return spans
}

/** The span with this instant in it, or undefined. */
export function spanAt(edges: readonly number[], instant: number): Span | undefined {
  const passed = countUpTo(edges, instant)
  return passed % 2 === 1 ? { from: edges[passed - 1]!, to: edges[passed]! } : undefined
}

/** Returns a function that says how many ms of a span are in the time. It looks at few of the edges. */
export function lengthsWithin(edges: readonly number[]): (span: Span) => number {
  /** The length of the spans before each span. */
  const before = new Float64Array(edges.length / 2 + 1)
  for (let i = 0; i < edges.length; i += 2) before[i / 2 + 1] = before[i / 2]! + edges[i + 1]! - edges[i]!
  const upTo = (instant: number) => {
    const passed = countUpTo(edges, instant)
    const whole = before[Math.floor(passed / 2)]!
    return passed % 2 === 0 ? whole : whole + instant - edges[passed - 1]!
  }
  return ({ from, to }) => upTo(to) - upTo(from)
}

/** How many of the edges are at or before `instant`. */
function countUpTo(edges: readonly number[], instant: number): number {
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (edges[middle]! <= instant) low = middle + 1
    else high = middle
  }
  return low
}
