/** What can be said of a check. What is left out stays as it is, or takes its default. */
export interface CheckFields {
  name?: string | undefined
  /** a-z, 0-9, hyphen, underscore. */
  slug?: string | undefined
  /** Separated by spaces. */
  tags?: string | undefined
  desc?: string | undefined
  /** Seconds between two successes: a simple check. */
  timeout?: number | undefined
  /** Seconds after the due time, and after a start, before the check goes down. */
  grace?: number | undefined
  /** A cron expression or OnCalendar lines; it wins over `timeout`. */
  schedule?: string | undefined
  /** The time zone of `schedule`, such as `Europe/Riga`. */
  tz?: string | undefined
  /** `*`, or UUIDs or names separated by commas. */
  channels?: string | undefined
  manual_resume?: boolean | undefined
  methods?: '' | 'POST' | undefined
  start_kw?: string | undefined
  success_kw?: string | undefined
  failure_kw?: string | undefined
  filter_subject?: boolean | undefined
  filter_body?: boolean | undefined
  filter_http_body?: boolean | undefined
  filter_default_fail?: boolean | undefined
  /** @deprecated Use `success_kw` and `filter_subject`. */
  subject?: string | undefined
  /** @deprecated Use `failure_kw` and `filter_subject`. */
  subject_fail?: string | undefined
}

export interface NewCheckFields extends CheckFields {
  /** Change the check that has the same values in these fields, if there is one. */
  unique?: ('name' | 'slug' | 'tags' | 'timeout' | 'grace')[] | undefined
}
