/** Sets the clocks of open incidents before something is changed that decides when they were held. Decision 0115. */
import { type Expression, type SqlBool, sql } from 'kysely'
import { advance } from '../../../core/incidents/escalation.js'
import type { Db } from '../../db.js'
import { lockedRows } from '../../locks.js'
import { heldFor } from './decide.js'
import { incidentsOf } from './looked-at.js'
import type { ProgressRow } from './progress-rows.js'
import { saveProgress } from './progress-rows.js'

/**
 * Called before a silence, tags, dependencies or an acknowledgement are changed: the time up to now counts by what they
 * were. `checks`: a query of IDs, or their list.
 */
export async function advanceClocks(db: Db, checks: Expression<unknown>, now: number): Promise<void> {
  const query = db.sql
    .selectFrom('incident_channels')
    .selectAll()
    .where(sql<SqlBool>`check_id IN ${checks}`)
    .where('clock_at', '<', now)
    .orderBy('incident_id')
    .orderBy('channel_id')
  const rows = await lockedRows(db, query).execute()
  const lookAt = new Map(rows.map(row => [keyOf(row), row.look_at]))
  const advanced: ProgressRow[] = []
  for (const incident of await incidentsOf(db, rows)) {
    if (incident.closedAt !== null) continue
    const { acknowledged } = incident
    for (const row of incident.rows) {
      const { held, heldUntil } = await heldFor(db, incident, row, now)
      const { steps, repeats, clock_ms: clockMs, clock_at: clockAt } = row
      const progress = { steps, repeats, clockMs, clockAt }
      // Whether it is alerted by a step still does not matter to the clock.
      const after = advance({ progress, concerns: [true], held, heldUntil, acknowledged }, now)
      advanced.push({
        ...row,
        look_at: lookAt.get(keyOf(row)) ?? null,
        clock_ms: after.clockMs,
        clock_at: after.clockAt,
      })
    }
  }
  await saveProgress(db, advanced)
}

function keyOf({ incident_id, channel_id }: Pick<ProgressRow, 'incident_id' | 'channel_id'>): string {
  return `${incident_id} ${channel_id}`
}

/** {@link advanceClocks} for the checks of a project. */
export async function advanceProject(db: Db, projectId: number, now: number): Promise<void> {
  await advanceClocks(db, db.sql.selectFrom('checks').select('id').where('project_id', '=', projectId), now)
}
