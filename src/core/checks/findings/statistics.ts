/** The median; of an even number of values the lower of the two in the middle. The list must not be empty. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The smallest value that is not exceeded by at least this share of the values. The list must not be empty. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!
}

/** The median distance of the values from their median. */
export function spread(values: readonly number[]): number {
  const middle = median(values)
  return median(values.map(value => Math.abs(value - middle)))
}
