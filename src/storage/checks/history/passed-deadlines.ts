/** The log of passed deadlines, for checks whose flips do not tell everything. */
import type { PassedDeadline } from '../../../core/checks/health/judge.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'

export interface NewPassedDeadline {
  checkId: number
  deadline: PassedDeadline
}

const COLUMNS = 5

export async function insertPassedDeadlines(db: Db, passed: readonly NewPassedDeadline[]): Promise<void> {
  for (const some of chunks(passed, Math.floor(db.dialect.maxParameters / COLUMNS))) {
    await db.sql
      .insertInto('passed_deadlines')
      .values(
        some.map(({ checkId, deadline: { at, cause, since, rid } }) => ({
          check_id: checkId,
          passed_at: at,
          cause,
          since_at: since,
          rid,
        })),
      )
      .execute()
  }
}

/** Stores the passed deadlines of one check. */
export async function insertPassedOf(
  db: Db,
  checkId: number,
  passed: readonly PassedDeadline[],
): Promise<void> {
  await insertPassedDeadlines(
    db,
    passed.map(deadline => ({ checkId, deadline })),
  )
}
