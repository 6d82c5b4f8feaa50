/**
 * A text is not a valid schedule.
 *
 * `field` is the wrong part (`hour`, `day of month`, `time zone`, or `schedule` for the whole text), `found` the text
 * of that part, and `expected` what would be right. The message joins them, such as `hour: "24" is outside 0-23`.
 */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError'

  constructor(
    readonly field: string,
    readonly found: string,
    readonly expected: string,
    complaint = `is not ${expected}`,
  ) {
    super(`${field}: "${found}" ${complaint}`)
  }
}
