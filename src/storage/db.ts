import type { Kysely } from 'kysely'
import type { Dialect } from './dialect.js'
import type { ListingCache } from './listing-cache.js'
import type { Tables } from './tables.js'

/** What the storage methods need to know of the configuration. */
export interface StoreSettings {
  /** Base address without a trailing slash. */
  siteRoot: string
  /** What ping URLs begin with; ends with a slash. */
  pingEndpoint: string
  /** Pings kept (and at most 1,000 listed) per check. */
  pingLogLimit: number
  /** Checks per account; twice as many where a ping makes them. */
  checkLimit: number
  /** The longest time deadlines wait after an outage. */
  outageHoldMs: number
  /** Whether large bodies go to object storage. */
  objectStorage: boolean
}

/** What a storage method works with: one connection, inside a transaction when the method writes. */
export interface Db {
  sql: Kysely<Tables>
  dialect: Dialect
  settings: StoreSettings
  /**
   * Takes a write whose outcome matters to nothing but the commit, which then goes out with it instead of after it:
   * it must be on its way, since only what the server refuses undoes the commit.
   * Absent where that spares no way there and back.
   */
  sendWithCommit?(write: Promise<unknown>): void
  /** Lets what follows take as long as it needs, where the transaction is to be quick otherwise; else absent. */
  liftTimeLimit?(): void
  /** Where asking whether a listing is still true costs far less than making it. */
  listings?: ListingCache
}
