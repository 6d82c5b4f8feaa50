/** Recomputes due times that were computed with other zone data than the runtime's. */

import { nextDeadlineAt, withDeadlines } from '../../core/checks/health/settle.js'
import { saveStates } from '../checks/rows/states.js'
import type { Db } from '../db.js'
import type { LoadedCheck } from '../dialect.js'
import { write } from '../method.js'

const KEY = 'zone_data'

/** The progress of a walk over the checks. */
export interface Recomputed {
  lastId: number
  done: boolean
  changed: number
}

/**
 * Recomputes the deadlines of up to `limit` cron and OnCalendar checks after `afterId`, unless the stored ones were
 * computed with `version` of the zone data. When all are done, stores that version.
 */
export const recomputeDueTimes = write(
  async (db: Db, version: string, afterId: number, limit: number): Promise<Recomputed> => {
    const known = await db.sql.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst()
    if (known?.value === version) return { lastId: afterId, done: true, changed: 0 }
    const rows = await db.sql
      .selectFrom('checks')
      .select(['id', 'uuid'])
      .where('id', '>', afterId)
      .where('kind', '!=', 'simple')
      .where('status', '=', 'up')
      .orderBy('id')
      .limit(limit)
      .execute()
    const loaded = await db.dialect.loadChecks(rows.map(row => row.uuid))
    const changed = loaded.flatMap(check => {
      const fresh: LoadedCheck = withDeadlines(check)
      return fresh.dueAt === check.dueAt && nextDeadlineAt(fresh) === nextDeadlineAt(check) ? [] : [fresh]
    })
    await saveStates(db, changed)
    const done = rows.length < limit
    if (done) {
      await db.sql
        .insertInto('meta')
        .values({ key: KEY, value: version })
        .onConflict(oc => oc.column('key').doUpdateSet({ value: version }))
        .execute()
    }
    return { lastId: rows.at(-1)?.id ?? afterId, done, changed: changed.length }
  },
)
