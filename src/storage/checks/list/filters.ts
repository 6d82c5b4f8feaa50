/** Filters of checks, as conditions on `check_details as d`. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db.js'

/** Whether a check has a tag. LIKE would ignore case on SQLite. */
export function hasTag(db: Db, tag: string) {
  const position = sql.raw(db.dialect.name === 'postgres' ? 'strpos' : 'instr')
  return sql<boolean>`${position}(' ' || d.tags || ' ', ${` ${tag} `}) > 0`
}

/** Whether a name contains a text, in any case. */
export function isNamed(text: string, name: RawBuilder<string> = sql<string>`d.name`) {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`lower(${name}) LIKE ${pattern} ESCAPE '\\'`
}
