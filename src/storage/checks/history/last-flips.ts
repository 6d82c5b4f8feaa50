import type { Flip } from '../../../core/checks/flip.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { toFlip } from './flip-rows.js'

/** The newest flip of each of these checks, with its ID. */
export async function lastFlips(
  db: Db,
  checkIds: readonly number[],
): Promise<Map<number, Flip & { id: number }>> {
  const flips = new Map<number, Flip & { id: number }>()
  for (const some of chunks(checkIds, db.dialect.maxParameters)) {
    const rows = await db.sql
      .selectFrom('flips as f')
      .select(['f.id', 'f.check_id as checkId', 'f.created_at as createdAt'])
      .select(['f.old_status', 'f.new_status', 'f.reason'])
      .where('f.id', 'in', eb =>
        eb
          .selectFrom('flips')
          .select(s => s.fn.max('id').as('id'))
          .where('check_id', 'in', some)
          .groupBy('check_id'),
      )
      .execute()
    for (const row of rows) flips.set(row.checkId, { ...toFlip(row), id: row.id })
  }
  return flips
}
