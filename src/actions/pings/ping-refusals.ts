/** Why a ping was not recorded, for those who sent it. */
import { isDatabaseAtFault } from '../../storage/errors.js'

/** Senders give up after ten seconds (docs/pinging.md), so they get an answer before that. */
export const ANSWER_WITHIN_MS = 8_000

/** The queue is full: the sender should try again later. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/** The database has not answered in the time that senders wait: it is not known whether the ping was recorded. */
export class NoAnswerYet extends Error {
  override readonly name = 'NoAnswerYet'
  readonly code = 'BUSY'
}

/** Another transaction keeps what the ping changes locked for as long as senders wait, or the alerts or new checks before it are very many. */
export class StillLocked extends Error {
  override readonly name = 'StillLocked'
  readonly code = 'BUSY'

  /** `checkId`: of the check; null: it is not created yet. */
  constructor(checkId: number | null) {
    const what = checkId === null ? 'the project of a new check' : `the check ${checkId}`
    super(`another transaction has locked ${what}, or what its alerts need, or too much waits before it`)
  }
}

/** The database refuses every ping, although its error, the cause, is one that the content of a ping can have. */
export class RefusesEveryPing extends Error {
  override readonly name = 'RefusesEveryPing'
  readonly code = 'BUSY'

  constructor(cause: Error) {
    super(`the database refuses every ping: ${cause.message}`, { cause })
  }
}

/** Whether a valid ping was refused with `error` only for now, so that its sender should send it again. */
export function isTemporary(error: unknown): boolean {
  return error instanceof QueueFull || isDatabaseAtFault(error)
}
