/** Locks on rows. An engine that lets one transaction write at a time needs none. */
import type { SelectQueryBuilder } from 'kysely'
import type { Db } from './db.js'
import type { Tables } from './tables.js'

/** The rows that a query finds stay as they are until the transaction ends. */
export function held<TB extends keyof Tables, O>(db: Db, query: SelectQueryBuilder<Tables, TB, O>) {
  return db.dialect.skipsLocked ? query.forUpdate() : query
}

/** So that several processes that look at once share out what a query finds, and none comes away with nothing. */
export function sharedOut<TB extends keyof Tables, O>(db: Db, query: SelectQueryBuilder<Tables, TB, O>) {
  return db.dialect.skipsLocked ? query.forUpdate().skipLocked() : query
}
