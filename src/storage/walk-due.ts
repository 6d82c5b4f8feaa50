/** Finds whose turn it is in a table of things that come due, in a time that does not depend on how many are due for one of them. */
import { sql } from 'kysely'
import type { Db } from './db.js'

/** A table with an index on `whose` and `due`, which need not have the rows without `due`. */
export interface DueTable {
  table: string
  whose: string
  due: string
}

export interface Passed {
  /** The value of `whose`. */
  id: number
  /** When its first row is due (ms). */
  dueAt: number
}

/** The next `steps` values of `whose` after `from`, in order: one step in the index for each, however many rows it has. */
export async function walkDue(db: Db, of: DueTable, from: number, steps: number): Promise<Passed[]> {
  const [table, whose, due] = [sql.table(of.table), sql.ref(of.whose), sql.ref(of.due)]
  const { rows } = await sql<Passed>`
    WITH RECURSIVE walk (id, step) AS (
      SELECT (SELECT min(${whose}) FROM ${table} WHERE ${whose} > ${from} AND ${due} IS NOT NULL), 1
      UNION ALL
      SELECT (SELECT min(${whose}) FROM ${table} WHERE ${whose} > walk.id AND ${due} IS NOT NULL), walk.step + 1
      FROM walk WHERE walk.id IS NOT NULL AND walk.step < ${steps}
    )
    SELECT id, (SELECT min(${due}) FROM ${table} WHERE ${whose} = walk.id AND ${due} IS NOT NULL) AS "dueAt"
    FROM walk WHERE id IS NOT NULL`.execute(db.sql)
  return rows
}
