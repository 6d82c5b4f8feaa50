import type { Keywords } from '../core/check.js'
import type { Db } from './db.js'

/** The keyword fields of a check; they lie outside the row that every ping reads. */
export async function keywordsOf(db: Db, checkId: number): Promise<Keywords> {
  return await db.sql
    .selectFrom('check_details')
    .select(['start_kw as startKw', 'success_kw as successKw', 'failure_kw as failureKw'])
    .where('check_id', '=', checkId)
    .executeTakeFirstOrThrow()
}
