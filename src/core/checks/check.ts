/** A check: one monitored job, as the rules see it. Instants are milliseconds UTC, null where there is none. */
import type { FieldsLike, Settings } from './check-fields.js'
import type { Tracking } from './health/tracking.js'

/** The status a check's row holds. `grace` is never stored: see {@link Status}. */
export type StoredStatus = 'new' | 'up' | 'down' | 'paused'

/** The status people and programs are shown. People read `grace` as "late". */
export type Status = StoredStatus | 'grace'

export type CheckKind = Settings['kind']

/** The settings that decide when a success is due and when the check goes down. */
export type Timing = Pick<Settings, FieldsLike<{ timing: string }>>

/** Of these the ones that matter whenever a status is shown, besides the instants that were made of all. */
export type Limits = Pick<Settings, FieldsLike<{ timing: 'limit' }>>

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
  /** When the check goes down if nothing arrives before; null also where a deadline comes first that is only counted. */
  alertAfter: number | null
  /** What runs, tolerance and early pings need besides; null where they have nothing to remember. */
  tracking: Tracking | null
}

/** The settings that lie in the row of the state: all that decides what a ping or a deadline does. */
export type Rules = Pick<Settings, FieldsLike<{ row: 'state' }>>

/** A check as ping handling needs it. */
export type Pinged = State & Rules

/** All of a check that its owner may see and change. */
export interface Check extends Settings, State {
  uuid: string
  /** Names the check towards read-only keys: 40 hex digits derived from `uuid`, which it does not reveal. */
  uniqueKey: string
  /** Names the check in its badge's URL; unrelated to `uuid`, which a badge must not reveal. */
  badgeKey: string
  createdAt: number
}

/** The tags of a check: `tags` split at spaces, each trimmed, empty pieces dropped. */
export function tagList(tags: string): string[] {
  return tags
    .split(' ')
    .map(tag => tag.trim())
    .filter(tag => tag !== '')
}
