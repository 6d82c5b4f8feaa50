import { type RawBuilder, sql } from 'kysely'
import type { CauseDetail } from '../../core/incidents/cause-detail.js'
import { isAcknowledged, type ListedIncident } from '../../core/incidents/listed-incident.js'
import type { Db } from '../db.js'
import { gathered } from '../gathered.js'

/**
 * A query for incidents with their checks, if these are still in the same project. `among`: a condition of incidents `i` that is true
 * of all that are selected, so that not all checks are gathered where they are on several servers.
 */
export function selectIncidents(db: Pick<Db, 'sql' | 'dialect'>, among: () => RawBuilder<unknown>) {
  const checks = sql`(SELECT i.check_id FROM incidents i WHERE ${among()})`
  return gathered(db, ['checks', 'check_details'], checks)
    .selectFrom('incidents as i')
    .leftJoin('checks as c', join =>
      join.onRef('c.id', '=', 'i.check_id').onRef('c.project_id', '=', 'i.project_id'),
    )
    .leftJoin('check_details as d', 'd.check_id', 'c.id')
    .selectAll('i')
    .select(['c.uuid', 'd.name', 'd.tags', 'd.unique_key'])
}

export type IncidentRow = Awaited<ReturnType<ReturnType<typeof selectIncidents>['execute']>>[number]

export function toListedIncident(row: IncidentRow, now: number): ListedIncident {
  const { ack_at: at, ack_until: until } = row
  return {
    id: row.id,
    check: { uuid: row.uuid, uniqueKey: row.unique_key, name: row.name ?? row.label, tags: row.tags ?? '' },
    openedAt: row.opened_at,
    sinceAt: row.since_at,
    cause: row.cause,
    detail: JSON.parse(row.detail) as CauseDetail,
    downAt: row.down_at,
    closedAt: row.closed_at,
    closedBy: row.closed_by,
    acknowledged: isAcknowledged({ at, until }, now)
      ? { by: row.ack_by ?? '', at: at!, note: row.ack_note, until }
      : null,
  }
}
