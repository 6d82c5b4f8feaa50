/** A store method declares how it runs where it is defined. Both engines then have it. */
import type { Db } from './db.js'

export type Kind = 'read' | 'readWithoutSnapshot' | 'poll' | 'write' | 'announcedWrite'

type Run = (db: Db, ...args: never[]) => Promise<unknown>

export type Method = Run & { readonly kind: Kind; readonly lockWaitMs?: number }

/** How a method that writes runs where several transactions write at once. */
interface Waits {
  /**
   * How long (ms) it waits for a row that another transaction has locked, if not the usual time. Its caller tries again,
   * see `isLocked` in errors.ts.
   */
  lockWaitMs: number
}

/** A method that reads; all its queries see one snapshot. */
export const read = <R extends Run>(run: R) => method('read', run)

/**
 * A method that reads and does not need one snapshot: it has one query, or its queries are about different things. On
 * PostgreSQL this saves a transaction.
 */
export const readWithoutSnapshot = <R extends Run>(run: R) => method('readWithoutSnapshot', run)

/**
 * A quick read that a running program repeats all the time. On SQLite the writing thread runs it, so that the reading
 * thread, which takes 10 MB, is started only when there is more to read.
 */
export const poll = <R extends Run>(run: R) => method('poll', run)

/** A method that writes, in one transaction. */
export const write = <R extends Run>(run: R, waits?: Waits) => method('write', run, waits)

/**
 * A write that the store announces after its commit: its result says what has changed, see announce.ts. Unless it says
 * otherwise, checks may look different.
 */
export const announcedWrite = <R extends Run>(run: R, waits?: Waits) => method('announcedWrite', run, waits)

/** Whether a method of this kind needs a transaction that writes. */
export function isWrite(kind: Kind | undefined): kind is 'write' | 'announcedWrite' {
  return kind === 'write' || kind === 'announcedWrite'
}

function method<R extends Run>(kind: Kind, run: R, waits?: Waits): R & Pick<Method, 'kind' | 'lockWaitMs'> {
  return Object.assign(run, { kind, ...waits })
}
