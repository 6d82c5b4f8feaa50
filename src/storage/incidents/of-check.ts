import { type QueryCreator, sql } from 'kysely'
import type { ListedIncident } from '../../core/incidents/listed-incident.js'
import type { Db } from '../db.js'
import { gathered } from '../gathered.js'
import { read, readWithoutSnapshot } from '../method.js'
import { prepared } from '../prepared.js'
import type { Tables } from '../tables.js'
import { selectIncidents, toListedIncident } from './incident-rows.js'

/** The latest incidents of a check in its project, newest first; the first one may be open. */
export const ofCheck = read(
  async (
    db: Db,
    { id, projectId }: { id: number; projectId: number },
    limit: number,
    now: number,
  ): Promise<ListedIncident[]> => {
    const rows = await latest.all(db, { id, projectId, limit })
    return rows.map(row => toListedIncident(row, now))
  },
)

const latest = prepared((_sql, value: { id: number; projectId: number; limit: number }, engine) =>
  selectIncidents(engine, () => sql`i.check_id = ${value.id}`)
    .where('i.check_id', '=', value.id)
    .where('i.project_id', '=', value.projectId)
    .orderBy('i.id', 'desc')
    .limit(value.limit),
)

/**
 * A text that changes when the open incident of a check has another event, or when a check on which it depends, or that depends on it,
 * changes its status.
 */
export const surroundings = readWithoutSnapshot(
  async (db: Db, checkId: number): Promise<string> => JSON.stringify(await around.all(db, { checkId })),
)

const around = prepared((kysely, { checkId }: { checkId: number }, engine) => {
  const neighbours = sql`(
    SELECT parent_id FROM check_parents WHERE check_id = ${checkId}
    UNION SELECT check_id FROM check_parents WHERE parent_id = ${checkId}
  )`
  const linked = (
    own: 'check_id' | 'parent_id',
    other: 'check_id' | 'parent_id',
    beginning: QueryCreator<Tables> = kysely,
  ) =>
    beginning
      .selectFrom('check_parents as cp')
      .innerJoin('checks as c', 'c.id', `cp.${other}`)
      .select(eb => [sql<string>`c.status`.as('kind'), eb.fn.countAll<number>().as('count')])
      .select(eb => eb.fn.max('c.status_since').as('latest'))
      .where(`cp.${own}`, '=', checkId)
      .groupBy('c.status')
  return linked('check_id', 'parent_id', gathered(engine, ['checks'], neighbours))
    .unionAll(linked('parent_id', 'check_id'))
    .unionAll(
      kysely
        .selectFrom('incidents as i')
        .innerJoin('incident_events as e', 'e.incident_id', 'i.id')
        .select(eb => [sql.lit<string>('events').as('kind'), eb.fn.countAll<number>().as('count')])
        .select(eb => eb.fn.max('e.id').as('latest'))
        .where('i.check_id', '=', checkId)
        .where('i.closed_at', 'is', null),
    )
})
