import type { Pinged } from '../core/checks/check.js'
import type { CheckOfProject } from '../core/pings/arrived-ping.js'
import type { Among } from './set-aside.js'
import type { Tables } from './tables.js'

/** A check as the ping path and the watcher load and change it. */
export interface LoadedCheck extends Pinged {
  id: number
  projectId: number
  uuid: string
  wakeAt: number | null
  confirmationLink: boolean
}

/** What is known of a check that another transaction has locked. */
export interface NamedCheck extends CheckOfProject {
  uuid: string
}

/** A row of the log, without its ID. `ran_at` is written by a statement of its own, because nearly every row has none. */
export type PingRow = Omit<Tables['pings'], 'id' | 'duration' | 'cause' | 'ran_at'> & {
  duration: number | null
  cause: string | null
  ran_at: number | null
}

/** The IDs of the checks whose `wake_at` or `tracking` is written too. */
export interface ChangedStates {
  wakeAt: ReadonlySet<number>
  tracking: ReadonlySet<number>
}

/** The differences between the engines, each named once. Each call takes a fixed number of round trips. */
export interface Dialect {
  name: 'sqlite' | 'postgres'
  /** The checks with these UUIDs, locked until the transaction ends; those that do not exist are left out. */
  loadChecks(uuids: readonly string[]): Promise<LoadedCheck[]>
  /** As `loadChecks`, without waiting: the checks that another transaction has locked are only named. */
  loadUnlocked(uuids: readonly string[]): Promise<{ checks: LoadedCheck[]; locked: readonly NamedCheck[] }>
  /**
   * Loads and locks up to `limit` checks whose `wake_at` is not after `now`, the earliest or the latest ones.
   * The exceptions of `among` include checks that were loaded before, which the order among equal instants could return again.
   */
  loadWoken(now: number, limit: number, which: 'earliest' | 'latest', among: Among): Promise<LoadedCheck[]>
  /** Whether the server of a check could not be reached a moment ago; absent where all are on one. */
  isAway?(checkId: number): boolean
  /** The newest pings as far as servers answer; absent where all are on one. */
  newestPings?(limit: number): Promise<{ checkId: number; at: number }[]>
  /**
   * How queries about one check alone, in `checks`, `check_details`, `flips` and `pings`, are asked of the server that has it; absent
   * where all are on one. They are not part of the transaction.
   */
  atCheck?(checkId: number): Pick<Dialect, 'all' | 'arrays'>
  /** The earliest `wake_at` of all checks, or null. */
  earliestWakeUp(): Promise<number | null>
  /** For each pair, the checks with that slug in the project with that ping key (at most two). */
  findBySlug(pairs: readonly { pingKey: string; slug: string }[]): Promise<SlugMatch[]>
  /** Writes state, deadlines and the confirmation flag; `wake_at` and `tracking` only where they change. */
  saveStates(checks: readonly LoadedCheck[], changed: ChangedStates): Promise<void>
  /** Throws at once, before sending anything, if the rows cannot be sent. */
  insertPings(rows: readonly PingRow[]): Promise<void>
  /** Runs a statement and returns its rows as objects. `keepsPlan`: see prepared.ts. */
  all(sql: string, parameters: readonly unknown[], keepsPlan?: boolean): Promise<object[]>
  /** Runs a query and returns its rows as arrays. */
  arrays(sql: string, parameters: readonly unknown[]): Promise<unknown[][]>
  /**
   * As `arrays`, row by row. `expected`: roughly how many rows there are. PostgreSQL sends many in a cheaper format, for which all
   * parameters must be whole numbers.
   */
  each(
    sql: string,
    parameters: readonly unknown[],
    expected: number,
    onRow: (row: unknown[]) => void,
  ): Promise<void>
  /**
   * As `each`, for rows of which all columns but the first `apart` seldom change: these come as one text, whose format may differ
   * from call to call. On SQLite the query itself has to put them into a JSON array.
   */
  eachPacked(
    sql: string,
    parameters: readonly unknown[],
    { expected, apart }: PackedAs,
    onRow: OnPackedRow,
  ): Promise<void>
  /** Whether several transactions can write at once, so that rows have to be locked. */
  hasConcurrentWrites: boolean
  /**
   * Whether the rows of checks lie on several servers: then rows of several checks cannot be locked by one statement, and
   * rows that one statement adds come back in any order.
   */
  isDistributed: boolean
  /** Groups checks, by their IDs: one statement can lock the rows of those in one group. In the order in which they are locked. */
  lockable(checkIds: readonly number[]): number[][]
  /**
   * The number of checks that a long list reads per query: more if finding the place to continue
   * takes as long as reading them.
   */
  checksAtOnce: number
  /** The maximum number of bound parameters per statement. */
  maxParameters: number
}

/** The arguments of `Dialect.eachPacked`. */
export interface PackedAs {
  expected: number
  apart: number
}

/** Reads the values in the text of a row's packed columns. */
export type Unpack = (packed: string) => unknown[]

/** Takes a row: the columns that are apart, which may be followed by others, and the rest as a text. */
export type OnPackedRow = (row: readonly unknown[], packed: string, unpack: Unpack) => void

/** The match of a slug: one check, several, none in the project (empty `uuids`), or no such project. */
export interface SlugMatch {
  projectId: number | null
  uuids: string[]
}
