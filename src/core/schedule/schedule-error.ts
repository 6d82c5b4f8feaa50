/**
 * The one error of this module: a text that is no schedule.
 *
 * `field` says which part is wrong (`hour`, `day of month`, `time zone`, or `schedule` for the whole text),
 * `found` is the text that was read there, `expected` what would be right. The message joins the three,
 * such as `hour: "24" is outside 0-23`.
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
