/** Who depends on whom, for pages. */
import { sql } from 'kysely'
import { checkLabel } from '../../core/alerts/alert.js'
import { statusAt } from '../../core/checks/status.js'
import type { Edge } from '../../core/incidents/dependency-graph.js'
import type { LinkedCheck } from '../../core/incidents/dependency-tree.js'
import { STATUS_COLUMNS } from '../checks/rows/check-rows.js'
import type { Db } from '../db.js'
import { gathered } from '../gathered.js'
import { currentHold } from '../instance/outages.js'
import { read, readWithoutSnapshot } from '../method.js'
import { prepared } from '../prepared.js'

/** How many checks that depend on one its page shows, and among how many checks a form lets people choose. */
const SHOWN = 50
const CHOICES = 1_000

/** The checks of a project that depend on others, or on which others depend, and the edges between them. */
export const dependencies = read(
  async (db: Db, projectId: number, now: number): Promise<{ checks: LinkedCheck[]; edges: Edge[] }> => {
    const edges = await db.sql
      .selectFrom('check_parents as cp')
      .innerJoin('checks as c', 'c.id', 'cp.check_id')
      .select(['cp.check_id as checkId', 'cp.parent_id as parentId'])
      .where('c.project_id', '=', projectId)
      .orderBy('cp.check_id')
      .orderBy('cp.parent_id')
      .execute()
    if (edges.length === 0) return { checks: [], edges }
    const checks = await linked(db, now, query =>
      query
        .where('c.project_id', '=', projectId)
        .where(eb =>
          eb.or([
            eb('c.id', 'in', eb.selectFrom('check_parents').select('check_id')),
            eb('c.id', 'in', eb.selectFrom('check_parents').select('parent_id')),
          ]),
        ),
    )
    return { checks, edges }
  },
)

/** Whether some check of a project depends on another. */
export const hasDependencies = readWithoutSnapshot(
  async (db: Db, projectId: number): Promise<boolean> => (await someEdge.all(db, { projectId })).length > 0,
)

const someEdge = prepared((kysely, value: { projectId: number }) =>
  kysely
    .selectFrom('check_parents as cp')
    .innerJoin('checks as c', 'c.id', 'cp.check_id')
    .select('cp.check_id')
    .where('c.project_id', '=', value.projectId)
    .limit(sql.lit(1)),
)

/** The checks on which a check depends directly, and the first of those that depend on it. */
export const neighbours = read(
  async (
    db: Db,
    checkId: number,
    now: number,
  ): Promise<{ parents: LinkedCheck[]; children: LinkedCheck[]; more: number }> => {
    const edges = await edgesOf.all(db, { checkId })
    const above = edges.filter(edge => edge.check_id === checkId).map(edge => edge.parent_id)
    const below = edges.filter(edge => edge.parent_id === checkId).map(edge => edge.check_id)
    if (edges.length === 0) return { parents: [], children: [], more: 0 }
    const ids = [...above, ...below.slice(0, SHOWN)]
    const checks = await linked(db, now, query => query.where('c.id', 'in', ids))
    return {
      parents: checks.filter(({ id }) => above.includes(id)),
      children: checks.filter(({ id }) => !above.includes(id)),
      more: Math.max(0, below.length - SHOWN),
    }
  },
)

const edgesOf = prepared((kysely, { checkId }: { checkId: number }) =>
  kysely
    .selectFrom('check_parents')
    .select(['check_id', 'parent_id'])
    .where(eb => eb.or([eb('check_id', '=', checkId), eb('parent_id', '=', checkId)]))
    .orderBy('check_id'),
)

/** A check on which another may be made to depend. */
export interface ParentChoice {
  uuid: string
  label: string
  on: boolean
}

/** The other checks of a project, those on which this one depends first; `uuid`: null for a new check. */
export const parentChoices = read(
  async (db: Db, projectId: number, uuid: string | null): Promise<ParentChoice[]> => {
    const checks = sql`(SELECT check_id FROM check_names WHERE project_id = ${projectId})`
    const rows = await gathered(db, ['checks', 'check_details'], checks)
      .selectFrom('checks as c')
      .innerJoin('check_details as d', 'd.check_id', 'c.id')
      .leftJoin('check_parents as cp', join =>
        join.onRef('cp.parent_id', '=', 'c.id').on('cp.check_id', '=', eb =>
          eb
            .selectFrom('checks as own')
            .select('own.id')
            .where('own.uuid', '=', uuid ?? ''),
        ),
      )
      .select(['c.uuid', 'd.name', 'd.slug', 'd.unique_key as uniqueKey', 'cp.check_id as child'])
      .where('c.project_id', '=', projectId)
      .where('c.uuid', '!=', uuid ?? '')
      .orderBy(eb => eb.case().when('cp.check_id', 'is', null).then(1).else(0).end())
      .orderBy('d.name')
      .orderBy('c.id')
      .limit(CHOICES)
      .execute()
    return rows.map(row => ({ uuid: row.uuid, label: checkLabel(row), on: row.child !== null }))
  },
)

type Query = ReturnType<typeof select>

const select = (db: Db) =>
  db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select(['c.id', 'c.uuid', 'd.name', 'd.slug', 'd.unique_key as uniqueKey', ...STATUS_COLUMNS])

async function linked(db: Db, now: number, which: (query: Query) => Query): Promise<LinkedCheck[]> {
  const rows = await which(select(db)).execute()
  const hold = await currentHold(db, now)
  const checks = rows.map(row => ({
    id: row.id,
    uuid: row.uuid,
    label: checkLabel(row),
    status: statusAt(row, now, hold),
  }))
  return checks.sort((a, b) => a.label.localeCompare(b.label, 'en') || a.id - b.id)
}
