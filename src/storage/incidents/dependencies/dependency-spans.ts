/** When dependencies held the down alerts of a check. Decision 0115. */
import { sql } from 'kysely'
import type { StoredStatus } from '../../../core/checks/check.js'
import {
  type Dependant,
  type Down,
  RECOVERY_MS,
  spansOfDependant,
  waitEnd,
} from '../../../core/incidents/dependency.js'
import type { ClosedBy } from '../../../core/incidents/incident.js'
import { type Span, within } from '../../../core/time/spans.js'
import type { HoldableCheck } from '../../alerts/holds/held.js'
import { selectSettings } from '../../checks/check-columns.js'
import type { Db } from '../../db.js'

/** The settings of a check that decide how long it is held. */
export const TIMING = ['kind', 'periodSeconds', 'schedule', 'tz', 'dependsWaitSeconds'] as const

/** When dependencies held a check that is down between two instants (ms), not in order. */
export async function dependencySpans(
  db: Db,
  { checkId, downAt }: HoldableCheck,
  from: number,
  now: number,
): Promise<Span[]> {
  const settings = await db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select(selectSettings(TIMING))
    .where('c.id', '=', checkId)
    .executeTakeFirstOrThrow()
  const check: Dependant = { ...settings, downAt }
  const found = {
    downs: await downsAbove(db, checkId, from),
    wait: waitEnd(check) > from ? await waitOf(db, check, checkId) : null,
  }
  return spansOfDependant(check, found, now).flatMap(span => within(span, { from, to: now }) ?? [])
}

/** When checks on which this one depends, directly or not, were down, if that may have held it at `from` or later. */
async function downsAbove(db: Db, checkId: number, from: number): Promise<Down[][]> {
  const { rows: incidents } = await sql<DownRow>`
    WITH RECURSIVE above (id) AS (
      SELECT parent_id FROM check_parents WHERE check_id = ${checkId}
      UNION SELECT cp.parent_id FROM check_parents cp JOIN above ON above.id = cp.check_id
    )
    SELECT i.id, i.check_id, i.opened_at, i.closed_at, i.closed_by, c.status
    FROM incidents i JOIN above ON above.id = i.check_id JOIN checks c ON c.id = i.check_id
    WHERE i.closed_at IS NULL OR i.closed_at >= ${from - RECOVERY_MS}
    ORDER BY i.id`.execute(db.sql)
  if (incidents.length === 0) return []
  const events = await db.sql
    .selectFrom('incident_events')
    .select(['incident_id', 'kind', 'created_at as at'])
    .where(
      'incident_id',
      'in',
      incidents.map(({ id }) => id),
    )
    .where('kind', 'in', ['closed', 'reopened'])
    .orderBy('id')
    .execute()
  const downs = new Map<number, Down[]>()
  for (const incident of incidents) {
    const own = downsOf(
      incident,
      events.filter(event => event.incident_id === incident.id),
    )
    downs.set(incident.check_id, [...(downs.get(incident.check_id) ?? []), ...own])
  }
  return [...downs.values()]
}

interface DownRow {
  id: number
  check_id: number
  opened_at: number
  closed_at: number | null
  closed_by: ClosedBy | null
  status: StoredStatus
}

/** An incident that was opened again has several. */
function downsOf(incident: DownRow, events: readonly { kind: string; at: number }[]): Down[] {
  const isActive = incident.status === 'up' || incident.status === 'down'
  const downs: Down[] = []
  let from = incident.opened_at
  for (const { kind, at } of events) {
    if (kind === 'reopened') from = at
    // Only after a recovery.
    else downs.push({ from, to: at, holdsOn: isActive })
  }
  const holdsOn = isActive && incident.closed_by === 'recovery'
  return [...downs, { from, to: incident.closed_at, holdsOn }]
}

/** What ended the wait of a check that went down first; null if it depends on none that is up or down. */
async function waitOf(
  db: Db,
  { downAt }: Dependant,
  checkId: number,
): Promise<{ firstSuccessAt: number | null } | null> {
  const { up, first } = await db.sql
    .selectFrom('check_parents as cp')
    .innerJoin('checks as c', 'c.id', 'cp.parent_id')
    .leftJoin('pings as p', join =>
      join
        .onRef('p.check_id', '=', 'c.id')
        .on('p.created_at', '>=', downAt)
        .on('p.kind', '=', sql.lit('success')),
    )
    .select(eb => [eb.fn.count<number>('c.id').as('up'), eb.fn.min('p.created_at').as('first')])
    .where('cp.check_id', '=', checkId)
    // One that is down now was up then, or holds the check beside it since before.
    .where('c.status', 'in', ['up', 'down'])
    .executeTakeFirstOrThrow()
  return Number(up) === 0 ? null : { firstSuccessAt: first === null ? null : Number(first) }
}
