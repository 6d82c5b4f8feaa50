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

/** Looks at the policies of incidents now, because something else applies to them. Those that are due already are not written. */
export async function lookNow(db: Db, incidentIds: readonly number[], now: number): Promise<void> {
  for (const some of chunks(incidentIds, db.dialect.maxParameters - 2)) {
    if (db.dialect.hasConcurrentWrites) await lockProgress(db, some)
    await db.sql
      .updateTable('incident_channels')
      .set({ look_at: now })
      .where('incident_id', 'in', some)
      .where(eb => eb.or([eb('look_at', 'is', null), eb('look_at', '>', now)]))
      .execute()
  }
}

/** A look under way may decide by what applied before: the statement after this one sees what it wrote. */
async function lockProgress(db: Db, incidentIds: readonly number[]): Promise<void> {
  await sql`SELECT count(*) FROM (
    SELECT 1 FROM incident_channels WHERE incident_id IN (${sql.join(incidentIds)})
    ORDER BY incident_id, channel_id FOR NO KEY UPDATE
  ) locked`.execute(db.sql)
}

/** Looks at the policies of incidents at an instant (null: never), and not before: until then nothing of them can be due. */
export async function lookOnlyAt(db: Db, incidentIds: readonly number[], at: number | null): Promise<void> {
  for (const some of chunks(incidentIds, db.dialect.maxParameters - 2)) {
    await db.sql
      .updateTable('incident_channels')
      .set({ look_at: at })
      .where('incident_id', 'in', some)
      .where(eb =>
        at === null
          ? eb('look_at', 'is not', null)
          : eb.or([eb('look_at', 'is', null), eb('look_at', '<>', at)]),
      )
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
    .where(mayBeHeld(now))
    .where(sql<SqlBool>`check_id IN ${checks}`)
    .execute()
}

/** A condition: a policy may wait for the end of a hold. */
export function mayBeHeld(now: number) {
  return sql<SqlBool>`(look_at > ${now} AND look_at <= ${now + LOOK_AGAIN_MS})`
}
