/** Spans between two instants (ms); `to` is excluded. */
export interface Span {
  from: number
  to: number
}

/** The part of `span` inside `bounds`, or null. */
export function within<T extends Span>(span: T, bounds: Span): T | null {
  const from = Math.max(span.from, bounds.from)
  const to = Math.min(span.to, bounds.to)
  return from < to ? { ...span, from, to } : null
}

/** The parts of `spans` outside `gaps`. The gaps are in order and may overlap. */
export function without<T extends Span>(spans: readonly T[], gaps: readonly Span[]): T[] {
  return spans.flatMap(span => {
    const left: T[] = []
    let from = span.from
    for (const gap of gaps) {
      if (gap.to <= from || gap.from >= span.to) continue
      if (gap.from > from) left.push({ ...span, from, to: gap.from })
      from = gap.to
    }
    if (from < span.to) left.push({ ...span, from })
    return left
  })
}

/** The total length of `spans` that do not overlap, in ms. */
export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0)
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
