import { hash } from 'node:crypto'
import { Refusal } from '../../core/errors.js'
import { forgetNotifications, notificationsOfChecks } from '../alerts/log/forget-notifications.js'
import type { Db } from '../db.js'
import { skippingLocked, type WhenLocked } from '../locks.js'
import { deletePings, pingsOf } from '../pings/removals.js'
import { prepared } from '../prepared.js'
import { forgetChecks } from './rows/name-directory.js'

/** Deletes a few checks of a project and everything about them. */
export async function removeChecks(db: Db, projectId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  for (const table of ['deliveries', 'reported', 'flapping', 'flips', 'passed_deadlines'] as const) {
    await db.sql.deleteFrom(table).where('check_id', 'in', ids).execute()
  }
  await forgetNotifications(db, notificationsOfChecks(db, ids))
  await deletePings(db, ids, pingsOf(db, ids))
  // Their details and their links to channels are deleted with the rows.
  await db.sql.deleteFrom('checks').where('id', 'in', ids).execute()
  await forgetChecks(db, ids)
  await addToCount(db, projectId, -ids.length)
}

/**
 * Locks the project until the transaction ends, so that requests that look for a check and create it if
 * there is none take turns.
 */
export async function lockProject(db: Db, projectId: number): Promise<void> {
  await addToCount(db, projectId, 0)
}

/**
 * As `lockProject`, of several, for checks that are linked to all their channels. `skip`: without waiting; returns those that
 * another transaction has locked, or of which it has locked a channel.
 */
export async function lockProjects(
  db: Db,
  projectIds: readonly number[],
  whenLocked: WhenLocked,
): Promise<Set<number>> {
  if (projectIds.length === 0) return new Set()
  if (whenLocked === 'wait' || !db.dialect.hasConcurrentWrites) {
    for (const id of projectIds.toSorted((a, b) => a - b)) await lockProject(db, id)
    return new Set()
  }
  const query = db.sql.selectFrom('projects').select('id').where('id', 'in', projectIds).orderBy('id')
  const free = new Set((await skippingLocked(db, query).execute()).map(({ id }) => id))
  const channels = db.sql
    .selectFrom('channels')
    .select(['id', 'project_id'])
    .where('project_id', 'in', projectIds)
  const linkable = new Set((await channels.forKeyShare().skipLocked().execute()).map(({ id }) => id))
  for (const { id, project_id } of await channels.execute()) if (!linkable.has(id)) free.delete(project_id)
  return new Set(projectIds.filter(id => !free.has(id)))
}

/** Adds to the number of checks of a project. */
export async function addToCount(db: Db, projectId: number, checks: number): Promise<void> {
  await addChecks.all(db, { projectId, checks })
}

const KEEPS_PLAN = { keepsPlan: true }

const addChecks = prepared(
  (sql, value: { projectId: number; checks: number }) =>
    sql
      .updateTable('projects')
      .set(eb => ({ n_checks: eb('n_checks', '+', value.checks) }))
      .where('id', '=', value.projectId),
  KEEPS_PLAN,
)

/**
 * The number of checks of a project's account: those in all projects of its owner, or its own if it has no owner.
 * Throws a `Refusal` if the project was deleted.
 */
export async function accountCheckCount(db: Db, projectId: number): Promise<number> {
  const [row] = await countOfAccount.all(db, { projectId })
  if (!row) throw new Refusal('not-found', 'the project does not exist any more')
  return Number(row.own) + Number(row!.others)
}

const countOfAccount = prepared(
  (sql, value: { projectId: number }) =>
    sql
      .selectFrom('projects as mine')
      .leftJoin('projects as other', join =>
        join.onRef('other.owner_id', '=', 'mine.owner_id').onRef('other.id', '!=', 'mine.id'),
      )
      .select('mine.n_checks as own')
      .select(eb => eb.fn.coalesce(eb.fn.sum<number>('other.n_checks'), eb.lit(0)).as('others'))
      .where('mine.id', '=', value.projectId)
      .groupBy('mine.n_checks'),
  KEEPS_PLAN,
)

/** The key that identifies a check to read-only clients. Source: docs/behaviour.md, section 4.8. */
export function uniqueKey(uuid: string): string {
  return hash('sha1', uuid.replaceAll('-', '').slice(0, 16))
}
