/**
 * The Gregorian calendar as whole numbers. A day is the number of days since 1970-01-01, a month is
 * `year * 12 + (0 for January ... 11 for December)`; both may be negative. A weekday is 0 (Sunday) to 6.
 */

/** The month that {@link monthOf} found last, with its days: those who ask once mostly ask about the same month again. */
const recent = { month: 1970 * 12, start: 0, end: 31 }

/** The day on which `month` begins. */
export function firstDayOf(month: number): number {
  if (month === recent.month) return recent.start
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
  if (day >= recent.start && day < recent.end) return recent.month
  const guess = Math.floor((day + 719468) / 30.436875) + 2
  const month = firstDayOf(guess) > day ? guess - 1 : firstDayOf(guess + 1) > day ? guess : guess + 1
  const [start, end] = [firstDayOf(month), firstDayOf(month + 1)]
  Object.assign(recent, { month, start, end })
  return month
}

/** The number of days in `month`: 28 to 31. */
export function lengthOf(month: number): number {
  return month === recent.month ? recent.end - recent.start : firstDayOf(month + 1) - firstDayOf(month)
}

/** The weekday of `day`: 0 is Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}
