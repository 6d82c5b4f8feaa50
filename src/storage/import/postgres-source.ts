import { connect, createPool } from '../postgres/connection.js'
import type { Reader } from './reader.js'

/** Reading a large table takes long. */
const TIMEOUTS = { connectMs: 10_000, statementMs: 600_000 }

/** Reads a PostgreSQL database as it is at one instant. */
export async function readPostgres(url: string): Promise<Reader> {
  const pool = createPool(url, 1, TIMEOUTS)
  const connection = await connect(pool)
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  return {
    rows: async sql => (await connection.query<Record<string, unknown>>(sql)).rows,
    select(column, type) {
      const isTime = type === 'instant' || type === 'duration'
      if (isTime) return `CAST(extract(epoch FROM "${column}") * 1000000 AS bigint)`
      return type === 'uuid' ? `CAST("${column}" AS text)` : `"${column}"`
    },
    value(given, type) {
      if (type === 'instant' || type === 'duration' || type === 'int') return Number(given)
      if (type === 'flag') return given === true || given === 't' || given === 1
      return type === 'text' || type === 'uuid' ? String(given) : given
    },
    async close() {
      await connection.query('ROLLBACK').catch(() => {})
      connection.release()
      await pool.end()
    },
  }
}
