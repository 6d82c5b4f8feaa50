import type { Db } from '../db.js'
import { held } from '../locks.js'

/**
 * Holds a project until the transaction ends, so that its owner stays the same, and returns who that is (null: nobody);
 * undefined where it is gone. Where accounts are held too, the project comes first.
 */
export async function holdProject(db: Db, projectId: number): Promise<number | null | undefined> {
  const query = db.sql.selectFrom('projects').select('owner_id as ownerId').where('id', '=', projectId)
  return (await held(db, query).executeTakeFirst())?.ownerId
}

/** Holds all projects of a person until the transaction ends, as {@link holdProject} does. */
export async function holdProjectsOf(db: Db, ownerId: number): Promise<void> {
  const query = db.sql.selectFrom('projects').select('id').where('owner_id', '=', ownerId).orderBy('id')
  await held(db, query).execute()
}
