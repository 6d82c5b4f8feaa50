/** A store method declares how it runs where it is defined. Both engines then have it. */
import type { Db } from './db.js'

export type Kind =
  | 'read'
  | 'longRead'
  | 'readWithoutSnapshot'
  | 'poll'
  | 'write'
  | 'announcedWrite'
  | 'costlyWrite'

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

/** The projects that a long read is about, or one: by ID, by UUID, or as objects that name them. */
export type Whose = One | readonly One[]

type One = number | string | { readonly projectId: number } | { readonly id: number }

/** A method that reads; all its queries see one snapshot. */
export const read = <R extends Run>(run: R) => method('read', run)

/**
 * A `read` of all checks of the projects that its first argument says, which may be thousands, or of as much. Few of them run at once,
 * those of different projects in turn.
 */
export const longRead = <R extends Run>(run: R & SaysWhose<R>) => method('longRead', run as R)

type SaysWhose<R> = R extends (db: Db, whose: infer First, ...args: never[]) => unknown
  ? First extends Whose
    ? R
    : never
  : never

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

/**
 * An `announcedWrite` with so many rows that others notice it, which a project can cause all the time. One at a time runs in a process, and all
 * of them together for half of the time. Decision 0160.
 */
export const costlyWrite = <R extends Run>(run: R, waits?: Waits) => method('costlyWrite', run, waits)

/** Whether a method of this kind needs a transaction that writes. */
export function isWrite(kind: Kind | undefined): kind is 'write' | 'announcedWrite' | 'costlyWrite' {
  return kind === 'write' || isAnnounced(kind)
}

/** Whether the store announces what a method of this kind wrote. */
export function isAnnounced(kind: Kind | undefined): kind is 'announcedWrite' | 'costlyWrite' {
  return kind === 'announcedWrite' || kind === 'costlyWrite'
}

function method<R extends Run>(kind: Kind, run: R, waits?: Waits): R & Pick<Method, 'kind' | 'lockWaitMs'> {
  return Object.assign(run, { kind, ...waits })
}
