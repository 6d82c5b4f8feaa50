import { Refusal, type RefusalCode } from '../core/errors.js'

/** What crosses threads of an error. */
export interface WireError {
  name: string
  message: string
  code?: string
  /** The field of a refusal. */
  field?: string
  stack?: string
}

/** An error in the form that crosses threads. */
export function toWire(error: unknown): WireError {
  if (error instanceof Refusal) {
    const { name, message, code, field } = error
    return { name, message, code, ...(field === undefined ? {} : { field }) }
  }
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { name: error.name, message: error.message, stack: error.stack ?? '', ...code }
}

/** The error from the form that crosses threads. */
export function fromWire(wire: WireError): Error {
  if (wire.name === 'Refusal') return new Refusal(wire.code as RefusalCode, wire.message, wire.field)
  const error = Object.assign(new Error(wire.message), wire.code ? { code: wire.code } : {})
  error.name = wire.name
  if (wire.stack) error.stack = wire.stack
  return error
}

/**
 * The error codes of a database that cannot do its work now: full, locked, broken, gone. For PostgreSQL these are
 * SQLSTATEs: connection lost (08), serialisation failures and deadlocks after all retries (40001, 40P01),
 * read-only after a failover (25006), out of resources (53), a lock held too long (55P03), shutting down or
 * cancelled (57), disk (58).
 */
const UNAVAILABLE =
  /^(BUSY$|GONE$|SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOMEM|INTERRUPT|PROTOCOL)|(08|53|57|58)[0-9A-Z]{3}$|40001$|40P01$|25006$|25P03$|55P03$)/

/** Whether the database cannot do its work now, so that retrying later may help. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNAVAILABLE.test(String(error.code))
}

/** The error code if SQLite's file was deleted, moved or replaced while the program runs: SQLite's own code. */
export const MOVED_FILE = 'SQLITE_READONLY_DBMOVED'

/** Whether the database cannot do its work because its file is not at its place any more. */
export function isMovedFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === MOVED_FILE
}

/** The error codes of a file that is damaged or cannot be used: waiting does not help. */
const LASTING = /^SQLITE_(IOERR|CANTOPEN|READONLY|CORRUPT|NOMEM)/

/**
 * Whether the database cannot do its work now, but may again without anyone touching this process: it is locked, full,
 * starting, or out of reach. A start then waits.
 */
export function mayPass(error: unknown): boolean {
  return isUnavailable(error) && !LASTING.test(String((error as { code?: unknown }).code))
}

/**
 * The error codes that the content of a ping can cause on a healthy database: characters that its encoding lacks
 * (22021, 22P05), size (54000), a `Refusal`, a value that the driver rejects. The content of a ping cannot violate a
 * constraint, exhaust a sequence or have a wrong type: those errors are the database's fault, for example after a
 * restore that reset its sequences.
 */
const PING_AT_FAULT = /^(22021|22P05|54000|SQLITE_TOOBIG|[a-z]|ERR_)/

/** Whether a ping was refused because of the state of the database rather than its content. */
export function isDatabaseAtFault(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  return isUnavailable(error) || (code !== null && !PING_AT_FAULT.test(code))
}

/** The error codes of a database of which one page cannot be read: others may be. */
const ONE_PAGE = /^(SQLITE_(CORRUPT|IOERR_(READ|SHORT_READ|DATA|CORRUPTFS)$)|58030$)/

/**
 * Whether a transaction may have failed because of one of the rows that it is about: on a damaged page, against a
 * constraint, or of a bug. Then it succeeds without that row.
 */
export function mayBeOneRow(error: unknown): boolean {
  return !isUnavailable(error) || ONE_PAGE.test(String((error as { code?: unknown }).code))
}

/** What a transaction fails with that was only to be tried. */
export const TRIED = 'TRIED'

/** Whether PostgreSQL refused a row because another one has the same value in a column where each is different. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/** The error codes after waiting for a lock as long as allowed, or after a statement took too long. */
const TIMED_OUT = /^(SQLITE_BUSY|55P03$|57014$)/

/** Whether the error took all the available time, so that the next request would wait as long. */
export function hadNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const timedOut = 'timedOut' in error && error.timedOut === true
  return timedOut || ('code' in error && TIMED_OUT.test(String(error.code)))
}

/** Whether another transaction kept a row locked for longer than this one may wait. Nothing was written. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
