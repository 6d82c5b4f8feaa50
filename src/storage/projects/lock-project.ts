import type { SelectQueryBuilder } from 'kysely'
import type { Db } from '../db.js'
import type { Tables } from '../tables.js'

/**
 * Locks a project until the transaction ends, so that its owner stays the same, and returns the owner's ID (null:
 * none); undefined if it was deleted, or its deletion has begun. If accounts are locked too, the project comes first.
 */
export async function lockProjectOwner(db: Db, projectId: number): Promise<number | null | undefined> {
  const query = db.sql
    .selectFrom('projects')
    .select('owner_id as ownerId')
    .where('id', '=', projectId)
    .where('deleting', '=', 0)
  return (await ownerKept(db, query).executeTakeFirst())?.ownerId
}

/** Locks all projects of a person until the transaction ends, as {@link lockProjectOwner} does. */
export async function lockProjectsOf(db: Db, ownerId: number): Promise<void> {
  const query = db.sql.selectFrom('projects').select('id').where('owner_id', '=', ownerId).orderBy('id')
  await ownerKept(db, query).execute()
}

/** Unlike `lockedRows`, this lets others add rows that refer to the project. */
function ownerKept<O>(db: Db, query: SelectQueryBuilder<Tables, 'projects', O>) {
  return db.dialect.hasConcurrentWrites ? query.forNoKeyUpdate() : query
}
