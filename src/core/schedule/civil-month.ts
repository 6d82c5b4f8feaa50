/**
 * The Gregorian calendar as whole numbers. A day is the number of days since 1970-01-01, a month is
 * `year * 12 + (0 for January ... 11 for December)`; both may be negative. A weekday is 0 (Sunday) to 6.
 */

/** The day on which `month` begins. */
export function firstDayOf(month: number): number {
  // Counting years from March puts the leap day last, so month lengths repeat every five months.
  const shifted = month - 2
  const year = Math.floor(shifted / 12)
  const past = shifted - year * 12
  return (
    year * 365 +
    Math.floor(year / 4) -
    Math.floor(year / 100) +
    Math.floor(year / 400) +
    Math.floor((past * 153 + 2) / 5) -
    719468
  )
}

/** The month that contains `day`. */
export function monthOf(day: number): number {
  const guess = Math.floor((day + 719468) / 30.436875) + 2
  if (firstDayOf(guess) > day) return guess - 1
  return firstDayOf(guess + 1) > day ? guess : guess + 1
}

/** The number of days in `month`: 28 to 31. */
export function lengthOf(month: number): number {
  return firstDayOf(month + 1) - firstDayOf(month)
}

/** The weekday of `day`: 0 is Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}
