import type { DayRule } from './day-rule.js'
import type { TimeRule } from './time-rule.js'

/** A schedule that was read from `text`. Equal texts share one. */
export interface Schedule {
  readonly kind: 'cron' | 'oncalendar'
  readonly text: string
  /** One for a cron expression; one a line for OnCalendar. Whichever comes next counts. */
  readonly rules: readonly Rule[]
}

/** Which wall-clock times a line names, and what becomes of those that a clock change skips or repeats. */
export interface Rule {
  readonly days: DayRule
  readonly times: TimeRule
  /** The line's own time zone, or null for the check's. */
  readonly zone: string | null
  /** A skipped time runs when the clock has jumped (`moved`), or not at all (`dropped`). */
  readonly skipped: 'moved' | 'dropped'
  /** A repeated time runs when it is first shown (`first`), or each time (`both`). */
  readonly repeated: 'first' | 'both'
}
