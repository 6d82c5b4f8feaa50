import { sql } from 'kysely'
import type { Db } from '../../db.js'

/** Whether a check has a tag, as a condition on `check_details as d`. LIKE would ignore case on SQLite. */
export function hasTag(db: Db, tag: string) {
  const position = sql.raw(db.dialect.name === 'postgres' ? 'strpos' : 'instr')
  return sql<boolean>`${position}(' ' || d.tags || ' ', ${` ${tag} `}) > 0`
}
