/** The value in the middle; of an even number the lower of both. The list must not be empty. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The smallest value that at least this share of the values does not exceed. The list must not be empty. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!
}

/** How far the values are from their median: the median of the distances. */
export function spread(values: readonly number[]): number {
  const middle = median(values)
  return median(values.map(value => Math.abs(value - middle)))
}
