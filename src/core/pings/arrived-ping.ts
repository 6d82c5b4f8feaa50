/** Pings on their way into the log, and what became of them. */
import type { MailSignal } from './classify.js'
import type { Action } from './ping-event.js'

/** A ping as it came in. */
export interface ArrivedPing {
  target: { uuid: string } | { pingKey: string; slug: string; create: boolean }
  /** Milliseconds UTC, and a counter (0-999) that orders pings of the same millisecond. */
  arrivedAt: number
  arrivedUs: number
  action: Exclude<Action, 'ign'>
  exitStatus: number | null
  rid: string | null
  /** How long (ms) the run took by the sender's clock, or null. */
  durationMs: number | null
  /** What is wrong with the request where that is answered only for a check that exists. */
  invalid: 'url' | 'rid' | null
  scheme: string
  remoteAddr: string | null
  method: string
  ua: string
  body: Uint8Array | null
  /** Of an e-mail: what it says, or null where it was not read yet. Absent for other pings. */
  mail?: MailSignal | null
}

/**
 * What became of a ping. `unread`: nothing was recorded, since the check looks into e-mails and this one was not
 * read. `failed`: a bug in the rules for this check; the others of its batch were recorded.
 */
export type PingOutcome =
  | 'ok'
  | 'created'
  | 'not-found'
  | 'ambiguous'
  | 'invalid-url'
  | 'invalid-rid'
  | 'unread'
  | 'failed'

export interface RecordedPings {
  /** One for each ping, in their order; `refused` for those that were not recorded because of `refusal`. */
  outcomes: (PingOutcome | 'refused')[]
  /** Whether a delivery was born, so that the dispatcher need not wait. */
  alerts: boolean
  /** The earliest deadline that this batch brought forward, or null. */
  wakeAt: number | null
  /** What the rules threw, for the log. */
  errors: string[]
  /** What the database said to some of the pings after it had recorded others. Absent when it said so to none. */
  refusal?: Error
}
