/** Stretches of time between two instants (ms); `to` is excluded. */
export interface Span {
  from: number
  to: number
}

/** The part of `span` inside `bounds`, or null where there is none. */
export function within<T extends Span>(span: T, bounds: Span): T | null {
  const from = Math.max(span.from, bounds.from)
  const to = Math.min(span.to, bounds.to)
  return from < to ? { ...span, from, to } : null
}

/** What is left of `spans` without `holes`. The holes are in order; they may overlap. */
export function without<T extends Span>(spans: readonly T[], holes: readonly Span[]): T[] {
  return spans.flatMap(span => {
    const left: T[] = []
    let from = span.from
    for (const hole of holes) {
      if (hole.to <= from || hole.from >= span.to) continue
      if (hole.from > from) left.push({ ...span, from, to: hole.from })
      from = hole.to
    }
    if (from < span.to) left.push({ ...span, from })
    return left
  })
}

/** The total length of `spans` that do not overlap, in ms. */
export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0)
}
