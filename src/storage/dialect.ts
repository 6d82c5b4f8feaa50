import type { Pinged } from '../core/checks/check.js'
import type { Tables } from './tables.js'

/** A check as the ping path and the watcher hold it while they change it. */
export interface LoadedCheck extends Pinged {
  id: number
  projectId: number
  uuid: string
  wakeAt: number | null
  confirmationLink: boolean
}

/** A row of the log, all but its id. */
export type PingRow = Omit<Tables['pings'], 'id' | 'duration' | 'cause'> & {
  duration: number | null
  cause: string | null
}

/** The ids of the checks of which more than the plain state is to be written. */
export interface ChangedStates {
  wakeAt: ReadonlySet<number>
  tracking: ReadonlySet<number>
}

/** Every difference between the engines, named once. Each call is a fixed number of round trips. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  /** The checks with these UUIDs, locked until the transaction ends; those that do not exist are left out. */
  loadChecks(uuids: readonly string[]): Promise<LoadedCheck[]>
  /** Up to `limit` checks whose `wake_at` is not after `now`, the earliest or the latest ones, locked like the above; others than
   * `except`, of which the order of checks that wake at the same instant would find some again. */
  loadWoken(
    now: number,
    limit: number,
    which: 'earliest' | 'latest',
    except?: readonly number[],
  ): Promise<LoadedCheck[]>
  /** For each pair the checks with that slug in the project with that ping key (two at most). */
  findBySlug(pairs: readonly { pingKey: string; slug: string }[]): Promise<SlugMatch[]>
  /** Writes state, deadlines and the confirmation flag; `wake_at` and `tracking` only where they change. */
  saveStates(checks: readonly LoadedCheck[], changed: ChangedStates): Promise<void>
  /** Throws at once where the rows cannot be sent, before anything was. */
  insertPings(rows: readonly PingRow[]): Promise<void>
  /** Runs a statement; the rows it returns, if any, as objects. `keepsPlan`: see prepared.ts. */
  all(sql: string, parameters: readonly unknown[], keepsPlan?: boolean): Promise<object[]>
  /** Runs a query; its rows as arrays of their columns. */
  arrays(sql: string, parameters: readonly unknown[]): Promise<unknown[][]>
  /** Whether a query can lock the rows it finds and leave out those that another transaction has locked. */
  skipsLocked: boolean
  /** How many checks a long list reads at once: more where finding the place to go on takes as long as reading them. */
  checksAtOnce: number
  /** The most bound parameters one statement may have. */
  maxParameters: number
}

/** What a slug names: a project that has no such check (empty `uuids`), one check, or several; or no project. */
export interface SlugMatch {
  projectId: number | null
  uuids: string[]
}
