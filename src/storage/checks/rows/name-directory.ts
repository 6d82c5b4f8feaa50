/**
 * Where checks are distributed over several servers, `check_names` has the names by which a check is found, in one place:
 * to look for a UUID or a slug, not every server is asked.
 */
import { sql } from 'kysely'
import type { Db } from '../../db.js'
import { COPY_NAMES } from '../../postgres/citus/layout.js'

/** Copies the names of checks that were created or whose names changed; nothing where checks are in one place. */
export async function noteNames(db: Db, checkIds: readonly number[]): Promise<void> {
  if (!db.dialect.isDistributed || checkIds.length === 0) return
  await sql`${sql.raw(COPY_NAMES)} WHERE c.id IN (${sql.join(checkIds)})
    ON CONFLICT (check_id) DO UPDATE SET project_id = excluded.project_id, slug = excluded.slug`.execute(
    db.sql,
  )
}

/** Copies the names of all checks anew, of a database whose checks are distributed. */
export async function noteAllNames({ sql: db }: Pick<Db, 'sql'>): Promise<void> {
  await sql`DELETE FROM check_names`.execute(db)
  await sql.raw(COPY_NAMES).execute(db)
}

/** The ID of the check with a name, where checks are distributed; undefined if there is none. */
export async function idOfNamed(
  db: Db,
  column: 'uuid' | 'unique_key',
  name: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ check_id: number }>`
    SELECT check_id FROM check_names WHERE ${sql.ref(column)} = ${name}`.execute(db.sql)
  return rows[0]?.check_id
}

/**
 * Deletes what refers to deleted checks from where it is not deleted with them: tables that are in one place cannot refer to
 * a distributed one.
 */
export async function forgetChecks(db: Db, checkIds: readonly number[]): Promise<void> {
  if (!db.dialect.isDistributed) return
  const ids = sql`(${sql.join(checkIds)})`
  for (const table of ['check_names', 'check_channels', 'incident_channels', 'push_tokens']) {
    await sql`DELETE FROM ${sql.table(table)} WHERE check_id IN ${ids}`.execute(db.sql)
  }
  await sql`DELETE FROM check_parents WHERE check_id IN ${ids} OR parent_id IN ${ids}`.execute(db.sql)
}
