import type { Database } from '../database.js'
import type { ArenaName } from './arena.js'
import type { Tenant } from './tenant.js'

/** One thing that a tenant can do in one request or in a few at once, as large as the limits allow. */
export interface Act {
  name: string
  /** The database on which it is done. */
  arena: ArenaName
  /** Changes the database before the program starts. */
  alter?: (database: Database) => Promise<void>
  /** Brings the tenant's project into the state that the act needs; not measured. */
  prepare?: (tenant: Tenant) => Promise<void>
  act: (tenant: Tenant) => Promise<unknown>
  /** How long others are watched after the act, for what it leaves to jobs (ms); 3 s by default. */
  afterMs?: number
}
