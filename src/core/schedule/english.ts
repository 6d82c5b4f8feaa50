/** Numbers and lists in English. */

const ORDINALS = [
  'zeroth',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
]

export const WEEKDAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `1, 2 and 3`. */
export function joined(parts: readonly string[], conjunction = 'and'): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${conjunction} ${parts.at(-1)}`
}

/** `second`, or `15th` for larger numbers. */
export function ordinal(number: number): string {
  const word = ORDINALS[number]
  if (word !== undefined) return word
  const teen = Math.floor(number / 10) % 10 === 1
  return `${number}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}

/** Ascending numbers as a list; three or more in a row become `a through b`. */
export function listed(
  numbers: readonly number[],
  name: (number: number) => string = String,
  conjunction = 'and',
): string {
  const parts: string[] = []
  for (let at = 0; at < numbers.length; ) {
    let end = at
    while (numbers[end + 1] === numbers[end]! + 1) end += 1
    if (end - at >= 2) parts.push(`${name(numbers[at]!)} through ${name(numbers[end]!)}`)
    else parts.push(...numbers.slice(at, end + 1).map(name))
    at = end + 1
  }
  return joined(parts, conjunction)
}

/** The step of at least three evenly spaced ascending numbers, or null. */
export function evenStep(numbers: readonly number[]): number | null {
  if (numbers.length < 3) return null
  const step = numbers[1]! - numbers[0]!
  return numbers.every((number, at) => at === 0 || number - numbers[at - 1]! === step) ? step : null
}

/** `every minute`, `every fifth minute`. */
export function every(step: number, unit: string): string {
  return step === 1 ? `every ${unit}` : `every ${ordinal(step)} ${unit}`
}

/** Sorted, without duplicates. */
export function ascending(numbers: Iterable<number>): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}
