import { chunks } from '../chunks.js'
import type { Db } from '../db.js'

/**
 * Locks channels until the transaction ends, if the engine allows several transactions to write at once. `against`:
 * what must wait: only the `plans` of messages to them, or also `flips` that are stored for them. Returns whether other
 * transactions could have written.
 */
export async function lockChannelRows(
  db: Db,
  ids: Iterable<number>,
  against: 'plans' | 'flips',
): Promise<boolean> {
  if (!db.dialect.hasConcurrentWrites) return false
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  for (const some of chunks(sorted, db.dialect.maxParameters)) {
    const query = db.sql.selectFrom('channels').select('id').where('id', 'in', some).orderBy('id')
    await (against === 'plans' ? query.forNoKeyUpdate() : query.forUpdate()).execute()
  }
  return true
}

/** Locks the channels of a project as a claim does, so that no plan is under way. */
export async function awaitPlans(db: Db, projectId: number): Promise<void> {
  const channels = await db.sql
    .selectFrom('channels')
    .select('id')
    .where('project_id', '=', projectId)
    .execute()
  await lockChannelRows(
    db,
    channels.map(({ id }) => id),
    'plans',
  )
}
