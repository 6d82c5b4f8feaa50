import { sql } from 'kysely'
import type { Row, Side } from './side.js'

/**
 * The next rows of a table in the order of its primary key, after the row with the key
 * `after` (null: from the first).
 */
export async function page(
  side: Side,
  table: string,
  key: readonly string[],
  after: readonly unknown[] | null,
  limit: number,
): Promise<Row[]> {
  const columns = sql.join(key.map(column => sql.ref(column)))
  const beyond = after === null ? sql`` : sql`WHERE (${columns}) > (${sql.join([...after])})`
  const { rows } = await sql<Row>`
    SELECT * FROM ${sql.table(table)} ${beyond} ORDER BY ${columns} LIMIT ${limit}`.execute(side.sql)
  return rows
}
