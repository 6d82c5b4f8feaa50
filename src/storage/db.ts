import type { Kysely } from 'kysely'
import type { EventActor } from '../core/events/actor.js'
import type { Dialect } from './dialect.js'
import type { Kept } from './kept.js'
import type { ListingCache } from './listing-cache.js'
import type { Tables } from './tables.js'

/** The settings that storage methods need. */
export interface StoreSettings {
  /** Base address without a trailing slash. */
  siteRoot: string
  /** The beginning of ping URLs; ends with a slash. */
  pingEndpoint: string
  /** The pings stored per check; at most 1,000 are listed. */
  pingLogLimit: number
  /** The maximum number of checks per account; pings may create twice as many. */
  checkLimit: number
  /** The longest time that deadlines wait after an outage. */
  outageHoldMs: number
  /** Whether large bodies go to object storage. */
  objectStorage: boolean
  /** The settings of channels that are not secret, by kind. All others are masked in events. */
  shownSettings: Readonly<Record<string, readonly string[]>>
}

/** The context of a storage method: one connection, in a transaction if the method writes. */
export interface Db {
  sql: Kysely<Tables>
  dialect: Dialect
  settings: StoreSettings
  /** Who makes the change, for its events; null: Punctual itself. */
  actor: EventActor | null
  /**
   * Sends a write together with the commit instead of before it; only an error of the server undoes the commit. The
   * write must not need anything else, and nothing may need its result. Absent if that saves no round trip.
   */
  sendWithCommit?(write: Promise<unknown>): void
  /** Removes the time limit of the transaction, if it has one; else absent. */
  liftTimeLimit?(): void
  /** The cache of listings, if checking that a listing is current is much cheaper than making it. */
  listings?: ListingCache
  /** What was read of logs, where nothing writes and one transaction follows another. */
  kept?: Kept
}

/** The context of queries about one check alone, which are asked of the server that has it; see `Dialect.atCheck`. */
export function nearCheck(db: Db, checkId: number): Db {
  const own = db.dialect.atCheck?.(checkId)
  return own ? Object.create(db, { dialect: { value: { ...db.dialect, ...own } } }) : db
}
