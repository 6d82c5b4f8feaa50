/** On SQLite a new row would get the id of one that was deleted last, which requests under way may still go by. */
import { sql } from 'kysely'
import type { Db } from './db.js'

/** The tables whose ids are never given twice. */
type NumberedTable = 'users' | 'sessions' | 'projects' | 'api_keys' | 'channels' | 'checks'

/** The id for a new row, to be spread into its values; empty on PostgreSQL, which gives one itself. */
export async function newId(db: Db, table: NumberedTable): Promise<{ id?: number }> {
  if (db.dialect.name === 'postgres') return {}
  const { rows } = await sql<{ id: number }>`
    UPDATE last_ids SET id = max(id, (SELECT coalesce(max(t.id), 0) FROM ${sql.table(table)} t)) + 1
     WHERE name = ${table} RETURNING id`.execute(db.sql)
  return { id: rows[0]!.id }
}
