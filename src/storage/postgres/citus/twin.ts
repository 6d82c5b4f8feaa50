/** Tables that take the place of others. */
import type { Connection } from '../connection.js'

/**
 * Creates an empty, ordinary table with the columns of `table` that continues its IDs, and returns its name. It has no indexes
 * and only those constraints that concern one row.
 */
export async function createTwin(connection: Connection, table: string): Promise<string> {
  const twin = `${table}_twin`
  await connection.query(`CREATE TABLE ${twin} (LIKE ${table} INCLUDING ALL EXCLUDING INDEXES)`)
  const { rows: options } = await connection.query<{ option: string }>(
    'SELECT unnest(reloptions) AS option FROM pg_class WHERE oid = $1::regclass',
    [table],
  )
  if (options.length > 0) {
    await connection.query(`ALTER TABLE ${twin} SET (${options.map(({ option }) => option).join(', ')})`)
  }
  const sequence = await sequenceOf(connection, table)
  if (sequence !== null) {
    await connection.query(
      `SELECT setval(pg_get_serial_sequence('${twin}', 'id'), greatest(last_value, highest), is_called OR highest > 0)
         FROM ${sequence}, (SELECT coalesce(max(id), 0) AS highest FROM ${table}) ids`,
    )
  }
  return twin
}

/** Renames a table and the sequence of its IDs. */
export async function renameTable(connection: Connection, from: string, to: string): Promise<void> {
  const sequence = await sequenceOf(connection, from)
  await connection.query(`ALTER TABLE ${from} RENAME TO ${to}`)
  if (sequence !== null) await connection.query(`ALTER SEQUENCE ${sequence} RENAME TO ${to}_id_seq`)
}

/** The columns of a table, for a list of columns. */
export async function columnsOfTable(connection: Connection, table: string): Promise<string> {
  const { rows } = await connection.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  )
  return rows[0]!.columns
}

/** The sequence of the IDs of a table; null if it has none. */
async function sequenceOf(connection: Connection, table: string): Promise<string | null> {
  const { rows } = await connection.query<{ sequence: string | null }>(
    `SELECT pg_get_serial_sequence($1, attname) AS sequence FROM pg_attribute
      WHERE attrelid = $1::regclass AND attname = 'id' AND NOT attisdropped`,
    [table],
  )
  return rows[0]?.sequence ?? null
}
