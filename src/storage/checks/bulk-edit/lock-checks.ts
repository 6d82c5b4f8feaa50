import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import type { LoadedCheck } from '../../dialect.js'
import { withDependants } from '../../incidents/dependencies/wake-dependants.js'
import { advanceClocks } from '../../incidents/policies/advance-clocks.js'
import { lockedOf, lockedRows } from '../../locks.js'

/** Locks checks until the transaction ends, both rows of each, and sets the clocks of their incidents. Returns them by UUID. */
export async function lockChecks(
  db: Db,
  uuids: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, LoadedCheck>> {
  const loaded = new Map<string, LoadedCheck>()
  for (const check of await db.dialect.loadChecks(uuids)) loaded.set(check.uuid, check)
  const ids = [...loaded.values()].map(({ id }) => id)
  for (const some of chunks(ids, db.dialect.maxParameters)) {
    await advanceClocks(db, await withDependants(db, some), now)
    if (!db.dialect.hasConcurrentWrites) continue
    await lockedOf(db, some, ids =>
      lockedRows(
        db,
        db.sql
          .selectFrom('check_details')
          .select('check_id')
          .where('check_id', 'in', ids)
          .orderBy('check_id'),
      ),
    )
  }
  return loaded
}
