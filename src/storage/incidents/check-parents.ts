/** On which checks a check depends. */
import { sql as raw } from 'kysely'
import { checkLabel } from '../../core/alerts/alert.js'
import { Refusal } from '../../core/errors.js'
import { MOST_PARENTS } from '../../core/incidents/dependency.js'
import { circleThrough, parentsOf } from '../../core/incidents/dependency-graph.js'
import type { Db } from '../db.js'
import { gathered } from '../gathered.js'
import { readWithoutSnapshot } from '../method.js'
import { prepared } from '../prepared.js'
import { edgesAbove, withParents } from './dependencies/edges.js'
import { wakeWithDependants, withDependants } from './dependencies/wake-dependants.js'
import { advanceClocks } from './policies/advance-clocks.js'

/** A check that another depends on, or that depends on another. */
export interface NamedCheck {
  uuid: string
  uniqueKey: string
}

/** The checks on which a check depends directly, in the order of their creation. */
export const parents = readWithoutSnapshot(
  async (db: Db, uuid: string): Promise<NamedCheck[]> => await ofCheck.all(db, { uuid }),
)

const ofCheck = prepared((_sql, value: { uuid: string }, engine) =>
  gathered(engine, ['checks', 'check_details'], withParents(raw`n.uuid = ${value.uuid}`))
    .selectFrom('checks as c')
    .innerJoin('check_parents as cp', 'cp.check_id', 'c.id')
    .innerJoin('checks as p', 'p.id', 'cp.parent_id')
    .innerJoin('check_details as d', 'd.check_id', 'p.id')
    .select(['p.uuid', 'd.unique_key as uniqueKey'])
    .where('c.uuid', '=', value.uuid)
    .orderBy('p.id'),
)

/**
 * Makes a check depend on these checks of its project, and on no others. The project is locked, so that no two changes
 * make a circle together. Returns whether held alerts may be due because of it. Throws `Refusal('invalid')` for checks
 * of other projects, too many, or a circle.
 */
export async function setParents(
  db: Db,
  check: { id: number; projectId: number },
  uuids: readonly string[],
  now: number,
): Promise<boolean> {
  const asked = await resolve(db, check.projectId, [...new Set(uuids)])
  const known = await db.sql
    .selectFrom('check_parents')
    .select('parent_id as id')
    .where('check_id', '=', check.id)
    .execute()
  const before = new Set(known.map(({ id }) => id))
  const added = asked.filter(id => !before.has(id))
  const removed = [...before].filter(id => !asked.includes(id))
  if (added.length > 0) await refuseCircle(db, check.id, added)
  if (removed.length > 0) {
    await db.sql
      .deleteFrom('check_parents')
      .where('check_id', '=', check.id)
      .where('parent_id', 'in', removed)
      .execute()
  }
  if (added.length > 0) {
    await db.sql
      .insertInto('check_parents')
      .values(added.map(id => ({ check_id: check.id, parent_id: id })))
      .execute()
  }
  if (removed.length === 0) return false
  return await wakeWithDependants(db, { projectId: check.projectId, checkIds: [check.id], now })
}

/** Makes checks depend on none, and none on them. Returns whether held alerts may be due because of it. */
export async function endDependencies(
  db: Db,
  projectId: number,
  ids: readonly number[],
  now: number,
): Promise<boolean> {
  await advanceClocks(db, await withDependants(db, ids), now)
  const edges = await db.sql
    .deleteFrom('check_parents')
    .where(eb => eb.or([eb('check_id', 'in', ids), eb('parent_id', 'in', ids)]))
    .returning('check_id as id')
    .execute()
  const checkIds = [...new Set(edges.map(({ id }) => id))]
  return await wakeWithDependants(db, { projectId, checkIds, now })
}

async function resolve(db: Db, projectId: number, uuids: readonly string[]): Promise<number[]> {
  if (uuids.length > MOST_PARENTS) throw refusal(`at most ${MOST_PARENTS} checks`)
  if (uuids.length === 0) return []
  const rows = await db.sql
    .selectFrom('checks')
    .select(['id', 'uuid'])
    .where('project_id', '=', projectId)
    .where('uuid', 'in', uuids)
    .execute()
  const missing = uuids.find(uuid => !rows.some(row => row.uuid === uuid))
  if (missing !== undefined) throw refusal(`no such check in the project: ${missing}`)
  return rows.map(({ id }) => id)
}

async function refuseCircle(db: Db, checkId: number, added: readonly number[]): Promise<void> {
  const edges = await edgesAbove(
    db,
    {},
    added.map(id => ({ checkId: id })),
  )
  const circle = circleThrough(checkId, added, parentsOf(edges))
  if (circle === null) return
  const rows = await db.sql
    .selectFrom('check_details')
    .select(['check_id as id', 'name', 'slug', 'unique_key as uniqueKey'])
    .where('check_id', 'in', circle)
    .execute()
  const names = new Map(rows.map(row => [row.id, checkLabel(row)]))
  throw refusal(circle.map(id => names.get(id)).join(' > '))
}

function refusal(problem: string): Refusal {
  return new Refusal('invalid', `depends_on: ${problem}`, 'depends_on')
}
