/** A check: one monitored job, as the rules see it. Instants are milliseconds UTC, or null. */
import type { FieldsLike, Settings } from './check-fields.js'
import type { Tracking } from './health/tracking.js'

/** The stored status. `grace` is never stored: see {@link Status}. */
export type StoredStatus = 'new' | 'up' | 'down' | 'paused'

/** The status shown to people and programs. Pages call `grace` "late". */
export type Status = StoredStatus | 'grace'

export type CheckKind = Settings['kind']

/** The settings that decide when a success is due and when the check goes down. */
export type Timing = Pick<Settings, FieldsLike<{ timing: string }>>

/** Those of them that are needed whenever a status is shown, in addition to the computed instants. */
export type Limits = Pick<Settings, FieldsLike<{ timing: 'limit' }>>

export interface State {
  status: StoredStatus
  /** When `status` last changed, or when the check was created. */
  statusSince: number
  nPings: number
  lastPing: number | null
  lastStart: number | null
  /** Never cleared: it stays after the run has ended. */
  lastStartRid: string | null
  lastDurationMs: number | null
  /** When the next success is due; null if `status` is not `up`, or if the schedule has ended. */
  dueAt: number | null
  /** When the check goes down if no ping arrives; null also if a deadline comes first that is only counted. */
  alertAfter: number | null
  /** What runs, tolerance and early pings need to remember; null if nothing. */
  tracking: Tracking | null
}

/** The state of a check that was never pinged, without its beginning. */
export const NEW_STATE = Object.freeze({
  status: 'new',
  nPings: 0,
  lastPing: null,
  lastStart: null,
  lastStartRid: null,
  lastDurationMs: null,
  dueAt: null,
  alertAfter: null,
  tracking: null,
}) satisfies Omit<State, 'statusSince'>

/** The settings in the row of the state: everything that decides what a ping or a deadline does. */
export type Rules = Pick<Settings, FieldsLike<{ row: 'state' }>>

/** A check as ping handling needs it. */
export type Pinged = State & Rules

/** Everything about a check that its owner can see. */
export interface Check extends Settings, State {
  uuid: string
  /** Identifies the check to read-only keys: 40 hex digits derived from `uuid`, which they do not reveal. */
  uniqueKey: string
  /** Identifies the check in its badge's URL; unrelated to `uuid`, which a badge must not reveal. */
  badgeKey: string
  createdAt: number
}

/** The tags of a check: `tags` split at spaces and trimmed, without empty ones. */
export function tagList(tags: string): string[] {
  return tags
    .split(' ')
    .map(tag => tag.trim())
    .filter(tag => tag !== '')
}
