/** The rows of `incident_channels`. */
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely'
import { LOOK_AGAIN_MS, type Progress } from '../../../core/incidents/escalation.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import type { IncidentTables } from '../incident-tables.js'

export type ProgressRow = Selectable<IncidentTables['incident_channels']>

/** How far a policy has got for the channel of a row. */
export function toProgress({ clock_ms, clock_at, steps, repeats }: ProgressRow): Progress {
  return { clockMs: clock_ms, clockAt: clock_at, steps, repeats }
}

/** Whether there are rows about an incident: 1 or 0. `incidentId` names a column. */
export function hasProgress(incidentId: string) {
  return sql<number>`CASE WHEN EXISTS (
    SELECT 1 FROM incident_channels ic WHERE ic.incident_id = ${sql.ref(incidentId)}
  ) THEN 1 ELSE 0 END`
}

/** How many columns a row has. */
const COLUMNS = 11

/** Inserts rows, or replaces them. A channel that counts as linked keeps doing so. */
export async function saveProgress(db: Db, rows: readonly ProgressRow[]): Promise<void> {
  const inOrder = rows.toSorted((a, b) => a.incident_id - b.incident_id || a.channel_id - b.channel_id)
  for (const some of chunks(inOrder, Math.floor(db.dialect.maxParameters / COLUMNS))) {
    await db.sql
      .insertInto('incident_channels')
      .values(some)
      .onConflict(conflict =>
        conflict.columns(['incident_id', 'channel_id']).doUpdateSet(eb => ({
          is_target: eb
            .case()
            .when('excluded.is_target', '=', 1)
            .then(1 as const)
            .else(eb.ref('incident_channels.is_target'))
            .end(),
          reached: eb.ref('excluded.reached'),
          steps: eb.ref('excluded.steps'),
          repeats: eb.ref('excluded.repeats'),
          look_at: eb.ref('excluded.look_at'),
          clock_ms: eb.ref('excluded.clock_ms'),
          clock_at: eb.ref('excluded.clock_at'),
        })),
      )
      .execute()
  }
}

/** Looks at the policies of incidents now, because they were closed, reopened, acknowledged or given back. */
export async function lookNow(db: Db, incidentIds: readonly number[], now: number): Promise<void> {
  for (const some of chunks(incidentIds, db.dialect.maxParameters - 1)) {
    await db.sql
      .updateTable('incident_channels')
      .set({ look_at: now })
      .where('incident_id', 'in', some)
      .execute()
  }
}

/**
 * Looks at the policies now that may wait for the end of a hold, because one may hold the checks among `checks` (a query of IDs) no
 * longer. Called after the change that ends the hold was written: a look in another transaction either sees the
 * change, or ends before its rows are written here.
 */
export async function lookAtHeld(db: Db, checks: Expression<unknown>, now: number): Promise<void> {
  await db.sql
    .updateTable('incident_channels')
    .set({ look_at: now })
    .where('look_at', '>', now)
    .where('look_at', '<=', now + LOOK_AGAIN_MS)
    .where(sql<SqlBool>`check_id IN ${checks}`)
    .execute()
}
