import { Refusal, type RefusalCode } from '../core/errors.js'
import type { WireError } from './store.js'

/** An error as it crosses a thread. */
export function toWire(error: unknown): WireError {
  if (error instanceof Refusal) return { name: error.name, message: error.message, code: error.code }
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { name: error.name, message: error.message, stack: error.stack ?? '', ...code }
}

/** The error that crossed, as the caller should see it. */
export function fromWire(wire: WireError): Error {
  if (wire.name === 'Refusal') return new Refusal(wire.code as RefusalCode, wire.message)
  const error = Object.assign(new Error(wire.message), wire.code ? { code: wire.code } : {})
  error.name = wire.name
  if (wire.stack) error.stack = wire.stack
  return error
}

/**
 * What the engines say when the database itself could not do its work now: full, locked, broken, gone. For
 * PostgreSQL these are SQLSTATEs: connection lost (08), serialisation and deadlocks after all retries (40001,
 * 40P01), read-only after a failover (25006), out of resources (53), a lock that another holds for too long (55P03),
 * shutting down or cancelled (57), disk (58).
 */
const UNAVAILABLE =
  /^(BUSY$|GONE$|SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOMEM|INTERRUPT|PROTOCOL)|(08|53|57|58)[0-9A-Z]{3}$|40001$|40P01$|25006$|25P03$|55P03$)/

/** Whether the database could not do its work now, and trying later may help. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNAVAILABLE.test(String(error.code))
}

/**
 * What the text of a ping alone brings about, however well the database is: characters that its encoding lacks (22021,
 * 22P05), sheer size (54000), a refusal of ours, a value that the driver takes for a mistake. No ping can break a
 * constraint, exhaust a sequence or be of a wrong type by what it says: the database is at fault then, as after a restore
 * that set its sequences back.
 */
const PING_AT_FAULT = /^(22021|22P05|54000|SQLITE_TOOBIG|[a-z]|ERR_)/

/** Whether a ping was refused because of the state of the database, of whatever kind, and not of what the ping says. */
export function isDatabaseAtFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  return isUnavailable(error) || (code !== null && !PING_AT_FAULT.test(code))
}

/** What is said after a lock was waited for as long as may be, or a statement was cancelled for taking too long. */
const WAITED_IN_VAIN = /^(SQLITE_BUSY|55P03$|57014$)/

/** Whether it took all the time there is to find out: then whoever asks next waits as long. */
export function hadNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const timedOut = 'timedOut' in error && error.timedOut === true
  return timedOut || ('code' in error && WAITED_IN_VAIN.test(String(error.code)))
}
