/** Sets the clocks of open incidents before something is changed that decides when they were held, and of which no history is kept. Decision 0115. */
import { type Expression, type SqlBool, sql } from 'kysely'
import { advance } from '../../../core/incidents/escalation.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { lockedRows } from '../../locks.js'
import { heldTimes } from './held-spans.js'
import { incidentsOf } from './looked-at.js'
import { type ProgressRow, saveProgress, toProgress } from './progress-rows.js'

/** How many rows are read and written at once. */
const SLICE = 1000

/**
 * Called before tags, dependencies or an acknowledgement are changed: the time up to now counts by what they
 * were. `checks`: a query of IDs, or their list. `lookAt`: when these rows are looked at, if not as before.
 */
export async function advanceClocks(
  db: Db,
  checks: Expression<unknown>,
  now: number,
  lookAt?: number | null,
): Promise<void> {
  const query = db.sql
    .selectFrom('incident_channels')
    .selectAll()
    .where(sql<SqlBool>`check_id IN ${checks}`)
    .where('clock_at', '<', now)
    .orderBy('incident_id')
    .orderBy('channel_id')
  const rows = await lockedRows(db, query).execute()
  for (const some of chunks(rows, SLICE)) {
    const set = await advanced(db, some, now)
    await saveProgress(db, lookAt === undefined ? set : set.map(row => ({ ...row, look_at: lookAt })))
  }
}

async function advanced(db: Db, rows: readonly ProgressRow[], now: number): Promise<ProgressRow[]> {
  const open = (await incidentsOf(db, rows)).filter(({ closedAt }) => closedAt === null)
  const times = await heldTimes(db, open, now)
  return open.flatMap(incident =>
    incident.rows.map(row => {
      const { acknowledged } = incident
      // Whether it is alerted by a step still does not matter to the clock.
      const look = { progress: toProgress(row), concerns: [true], ...times.get(row)!, acknowledged }
      const { clockMs, clockAt } = advance(look, now)
      return { ...row, clock_ms: clockMs, clock_at: clockAt }
    }),
  )
}
