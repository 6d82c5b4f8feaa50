/** A check: one monitored job, as the rules see it. Instants are milliseconds UTC, null where there is none. */

/** The status a check's row holds. `grace` is never stored: see {@link Status}. */
export type StoredStatus = 'new' | 'up' | 'down' | 'paused'

/** The status people and programs are shown. People read `grace` as "late". */
export type Status = StoredStatus | 'grace'

/** What decides when the next success is due: a period, a cron expression, or OnCalendar lines. */
export type CheckKind = 'simple' | 'cron' | 'oncalendar'

export interface Timing {
  kind: CheckKind
  /** Simple checks: the longest expected time between two successes. On the wire: `timeout`. */
  periodSeconds: number
  /** How long after the due time, and after a start signal, before the check goes down. */
  graceSeconds: number
  /** Cron and OnCalendar checks: the expression as it was sent. */
  schedule: string
  /** Canonical name of the zone in which `schedule` is read. */
  tz: string
}

export interface State {
  status: StoredStatus
  /** When `status` was last changed, or the check's creation. */
  statusSince: number
  nPings: number
  lastPing: number | null
  lastStart: number | null
  /** Never cleared: it outlives the run that set it. */
  lastStartRid: string | null
  lastDurationMs: number | null
  /** When the next success is due; null unless `status` is `up`, or when the schedule has ended. */
  dueAt: number | null
  /** When the check goes down if nothing arrives before. */
  alertAfter: number | null
}

/** What ping handling reads besides the state. */
export interface PingRules {
  /** `""`: every verb counts. `POST`: any other verb is logged and ignored. */
  methods: '' | 'POST'
  manualResume: boolean
  filterHttpBody: boolean
  filterDefaultFail: boolean
}

/** Keyword lists as typed: comma-separated, see `keywords.ts`. */
export interface Keywords {
  startKw: string
  successKw: string
  failureKw: string
}

/** What people name and describe a check with, and how inbound e-mail is read. */
export interface Details extends Keywords {
  name: string
  slug: string
  tags: string
  desc: string
  filterSubject: boolean
  filterBody: boolean
  /**
   * True while the deprecated `subject` and `subject_fail` set the e-mail rules: then an e-mail that
   * matches nothing is a success. Source: decision D24.
   */
  subjectRules: boolean
}

/** All of a check that its owner may see and change. */
export interface Check extends Timing, State, PingRules, Details {
  uuid: string
  /** Names the check towards read-only keys: 40 hex digits derived from `uuid`, which it does not reveal. */
  uniqueKey: string
  /** Names the check in its badge's URL; unrelated to `uuid`, which a badge must not reveal. */
  badgeKey: string
  createdAt: number
}

export const DEFAULT_PERIOD_SECONDS = 86_400
export const DEFAULT_GRACE_SECONDS = 3_600

/** The tags of a check: `tags` split at spaces, each trimmed, empty pieces dropped. */
export function tagList(tags: string): string[] {
  return tags
    .split(' ')
    .map(tag => tag.trim())
    .filter(tag => tag !== '')
}
