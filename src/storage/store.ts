import type { Db } from './db.js'
import type { reads, writes } from './methods.js'

type Method = (db: Db, ...args: never[]) => unknown
type WithoutDb<F> = F extends (db: Db, ...args: infer A) => infer R
  ? (...args: A) => Promise<Awaited<R>>
  : never
type Bound<T extends Record<string, Method>> = { [K in keyof T]: WithoutDb<T[K]> }

/**
 * The database, the same on both engines. A method is one message, run whole: a write in a transaction of its
 * own (or as a savepoint of a shared one), a read on a consistent snapshot. A write has been synced to disk
 * when its promise resolves. Errors: `Refusal` for what was expected; anything else is a bug or a broken disk.
 */
export type Store = Bound<typeof reads> &
  Bound<typeof writes> & {
    /** Writes a consistent copy of the database to `file` while it is in use. Rejects if the file exists. */
    backup(file: string): Promise<void>
    /** Waits for what was asked for, then closes. */
    close(): Promise<void>
  }

/** How a method's arguments and results cross threads: structured clone, so no functions and no class instances. */
export interface Message {
  id: number
  method: string
  args: unknown[]
}

export type Reply = { id: number; value: unknown } | { id: number; error: WireError }

export interface WireError {
  name: string
  message: string
  code?: string
  stack?: string
}
