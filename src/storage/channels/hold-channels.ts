import { chunks } from '../chunks.js'
import type { Db } from '../db.js'

/**
 * Holds channels until the transaction ends, where engines let several write at once. `against`: what then waits: only
 * `plans` of what they are sent, or also the `flips` that are stored for them. Returns whether others could have written.
 */
export async function holdChannels(
  db: Db,
  ids: Iterable<number>,
  against: 'plans' | 'flips',
): Promise<boolean> {
  if (!db.dialect.skipsLocked) return false
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  for (const some of chunks(sorted, db.dialect.maxParameters)) {
    const query = db.sql.selectFrom('channels').select('id').where('id', 'in', some).orderBy('id')
    await (against === 'plans' ? query.forNoKeyUpdate() : query.forUpdate()).execute()
  }
  return true
}
