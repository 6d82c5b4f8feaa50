import type { DayRule } from './day-rule.js'
import type { TimeRule } from './time-rule.js'

/** A schedule parsed from `text`. Equal texts share one. */
export interface Schedule {
  readonly kind: 'cron' | 'oncalendar'
  readonly text: string
  /** One for a cron expression; one per line for OnCalendar. The earliest occurrence of any rule counts. */
  readonly rules: readonly Rule[]
}

/** The wall-clock times of a line, and what happens to those that a clock change skips or repeats. */
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
