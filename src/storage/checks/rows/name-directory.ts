/**
 * Where checks are distributed over several servers, `check_names` has the names by which a check is found, in one place:
 * to look for a UUID or a slug, not every server is asked.
 */
import { sql } from 'kysely'
import type { Db } from '../../db.js'

/** Copies the names of checks that were created or whose names changed; nothing where checks are in one place. */
export async function noteNames(db: Db, checkIds: readonly number[]): Promise<void> {
  if (!db.dialect.isDistributed || checkIds.length === 0) return
  await sql`
    INSERT INTO check_names (check_id, uuid, project_id, slug, unique_key, badge_key)
    SELECT c.id, c.uuid, c.project_id, d.slug, d.unique_key, d.badge_key
      FROM checks c JOIN check_details d ON d.check_id = c.id WHERE c.id IN (${sql.join(checkIds)})
    ON CONFLICT (check_id) DO UPDATE SET project_id = excluded.project_id, slug = excluded.slug`.execute(
    db.sql,
  )
}

/** Copies the names of all checks anew, of a database whose checks are distributed. */
export async function noteAllNames({ sql: db }: Pick<Db, 'sql'>): Promise<void> {
  await sql`DELETE FROM check_names`.execute(db)
  await sql`
    INSERT INTO check_names (check_id, uuid, project_id, slug, unique_key, badge_key)
    SELECT c.id, c.uuid, c.project_id, d.slug, d.unique_key, d.badge_key
      FROM checks c JOIN check_details d ON d.check_id = c.id`.execute(db)
}

/**
 * Deletes what refers to a deleted check from where it is not deleted with it: tables that are in one place cannot refer to
 * a distributed one.
 */
export async function forgetCheck(db: Db, checkId: number): Promise<void> {
  if (!db.dialect.isDistributed) return
  for (const table of ['check_names', 'check_channels', 'incident_channels', 'push_tokens']) {
    await sql`DELETE FROM ${sql.table(table)} WHERE check_id = ${checkId}`.execute(db.sql)
  }
  await sql`DELETE FROM check_parents WHERE check_id = ${checkId} OR parent_id = ${checkId}`.execute(db.sql)
}
