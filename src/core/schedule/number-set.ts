/** A set of whole numbers from 0 to 59 in two integers: 0-29 in `low`, 30-59 in `high`. */
export interface NumberSet {
  readonly low: number
  readonly high: number
}

/** The set of `numbers`, each from 0 to 59. */
export function numberSet(numbers: Iterable<number>): NumberSet {
  let low = 0
  let high = 0
  for (const number of numbers) {
    if (number < 30) low |= 1 << number
    else high |= 1 << (number - 30)
  }
  return { low, high }
}

/** Whether `number` (0-59) is in the set. */
export function includes(set: NumberSet, number: number): boolean {
  return (number < 30 ? set.low & (1 << number) : set.high & (1 << (number - 30))) !== 0
}

/** The smallest member that is at least `number` (0-60), or -1. */
export function atLeast(set: NumberSet, number: number): number {
  if (number < 30) {
    const low = set.low & (-1 << number)
    if (low !== 0) return lowestBit(low)
  }
  const high = number <= 30 ? set.high : set.high & (-1 << (number - 30))
  return high === 0 ? -1 : 30 + lowestBit(high)
}

/** The largest member that is at most `number` (-1 to 59), or -1. */
export function atMost(set: NumberSet, number: number): number {
  if (number >= 30) {
    const high = set.high & ((2 << (number - 30)) - 1)
    if (high !== 0) return 30 + highestBit(high)
  }
  const low = number >= 30 ? set.low : set.low & ((1 << (number + 1)) - 1)
  return low === 0 ? -1 : highestBit(low)
}

/** The position of the lowest bit set in a non-zero `word`. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}

/** The position of the highest bit set in a non-zero `word`. */
export function highestBit(word: number): number {
  return 31 - Math.clz32(word)
}
