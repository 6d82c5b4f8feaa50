/** Pings on their way to the log, and their outcomes. */
import type { MailSignal } from './classify.js'
import type { Action } from './ping-event.js'

/** A ping that arrived. */
export interface ArrivedPing {
  target: { uuid: string } | { pingKey: string; slug: string; create: boolean }
  /** Milliseconds UTC, and a counter (0-999) that orders pings of the same millisecond. */
  arrivedAt: number
  arrivedUs: number
  action: Exclude<Action, 'ign'>
  exitStatus: number | null
  rid: string | null
  /** The duration of the run (ms) by the sender's clock, or null. */
  durationMs: number | null
  /** When the sender would have sent it (ms), if that is known to be earlier than it arrived; else null. */
  ranAt: number | null
  /** The error in the request, if it is reported only for an existing check. */
  invalid: 'url' | 'rid' | 'at' | null
  scheme: string
  remoteAddr: string | null
  method: string
  ua: string
  body: Uint8Array | null
  /** The texts of an e-mail; null if it was not read yet. Absent for other pings. */
  mail?: MailSignal | null
  /** How long (ms) its sender has waited for the answer, if that is long: the limit of its run counts from then. */
  waitedMs?: number
  /** Whether it is on disk already, so that only `waitedMs` is news. */
  isRecorded?: true
}

/** The details of a ping that has none. */
export const NO_DETAILS = {
  exitStatus: null,
  rid: null,
  durationMs: null,
  ranAt: null,
  invalid: null,
} as const

/** What a ping keeps of a user agent. Source: docs/behaviour.md, section 1.5. */
export function keptUserAgent(ua: string): string {
  return ua.slice(0, 200)
}

/**
 * The outcome of a ping. `unread`: nothing was recorded, because the check looks for keywords and the e-mail was not
 * read. `failed`: a bug in the rules for this check; the others in its batch were recorded.
 */
export type PingOutcome =
  | 'ok'
  | 'created'
  | 'not-found'
  | 'ambiguous'
  | 'invalid-url'
  | 'invalid-rid'
  | 'invalid-at'
  | 'unread'
  | 'failed'

/** A check, and the project that has it, by their IDs. */
export interface CheckOfProject {
  checkId: number
  projectId: number
}

/** The check of a ping that has to wait; `checkId`: null if it is not created yet. */
export interface LockedCheck {
  checkId: number | null
  projectId: number
}

/** What earlier pings wait for, so that later ones wait behind them: checks, and projects in which their checks are still to be created. */
export interface EarlierPings {
  checks: readonly number[]
  projects: readonly number[]
}

export interface RecordedPings {
  /**
   * One for each ping, in order. `refused`: it was not recorded because of `refusal`; `locked`: it was put off, because
   * another transaction has locked what it changes, or because it is `large`.
   */
  outcomes: (PingOutcome | 'refused' | 'locked')[]
  /** Whether a delivery was added, so that the dispatcher has to be woken. */
  alerts: boolean
  /** The earliest deadline that this batch moved earlier, or null. */
  wakeAt: number | null
  /** The errors that the rules threw, for the log. */
  errors: string[]
  /** The database's error for some of the pings, after it had recorded others; absent if there was none. */
  refusal?: Error
  /** By places: the parts of the checks that could not be reached, of pings that were refused because of that alone. */
  away?: ReadonlyMap<number, string>
  /** The IDs of the checks whose logs are too long now, if the store cuts them later. */
  tooLong?: readonly number[]
  /** By places: the checks of the pings that are `locked`. */
  locked?: ReadonlyMap<number, LockedCheck>
  /** The places of those that are `locked` only because they would cause too many alerts, or create too many checks, for one transaction. */
  large?: ReadonlySet<number>
}
