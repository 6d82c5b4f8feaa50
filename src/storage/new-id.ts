/** On SQLite, a new row would get the ID of the last deleted row, which requests under way may still use. */
import { sql } from 'kysely'
import type { Db } from './db.js'

/** The tables whose IDs are never reused, because work under way or people's scripts may still name a deleted row. */
export const NUMBERED_TABLES = [
  'users',
  'sessions',
  'projects',
  'invitations',
  'api_keys',
  'api_tokens',
  'channels',
  'checks',
  'policies',
  'silences',
  'event_webhooks',
] as const

type NumberedTable = (typeof NUMBERED_TABLES)[number]

/** The ID of a new row, to be spread into its values; empty on PostgreSQL, which assigns one itself, but
 * for checks that are distributed: their ID says where all their rows go. */
export async function newId(db: Db, table: NumberedTable): Promise<{ id?: number }> {
  const ids = await newIds(db, table, 1)
  return ids ? { id: ids[0]! } : {}
}

/** As {@link newId}, for several rows, in their order; null where the database assigns them. */
export async function newIds(db: Db, table: NumberedTable, count: number): Promise<number[] | null> {
  if (db.dialect.isDistributed && table === 'checks') return await idsFor(db, 'checks', count)
  if (db.dialect.name === 'postgres') return null
  const { rows } = await sql<{ id: number }>`
    INSERT INTO last_ids (name, id)
    VALUES (${table}, (SELECT coalesce(max(t.id), 0) + ${count} FROM ${sql.table(table)} t))
    ON CONFLICT (name) DO UPDATE SET id = max(last_ids.id + ${count}, excluded.id) RETURNING id`.execute(
    db.sql,
  )
  const last = rows[0]!.id
  return Array.from({ length: count }, (_, place) => last - count + 1 + place)
}

/** The IDs of new rows of a distributed table, in their order; null where the rows that one statement adds come back in order. */
export async function givenIds(db: Db, table: 'flips', count: number): Promise<number[] | null> {
  return db.dialect.isDistributed ? await idsFor(db, table, count) : null
}

async function idsFor(db: Db, table: 'checks' | 'flips', count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT nextval(pg_get_serial_sequence(${table}, 'id')) AS id FROM generate_series(1, ${count})`.execute(
    db.sql,
  )
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}
