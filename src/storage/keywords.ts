import type { Keywords } from '../core/check.js'
import { chunks } from './chunks.js'
import type { Db } from './db.js'

/** The keyword fields of checks, by check; they lie outside the row that every ping reads. */
export async function keywordsOf(db: Db, checkIds: readonly number[]): Promise<Map<number, Keywords>> {
  const found = new Map<number, Keywords>()
  for (const some of chunks(checkIds, db.dialect.maxParameters)) {
    const rows = await db.sql
      .selectFrom('check_details')
      .select(['check_id as id', 'start_kw as startKw', 'success_kw as successKw', 'failure_kw as failureKw'])
      .where('check_id', 'in', some)
      .execute()
    for (const { id, ...keywords } of rows) found.set(id, keywords)
  }
  return found
}
