import { type SqlBool, sql } from 'kysely'
import { awaitPlans } from '../channels/lock-channels.js'
import type { Db } from '../db.js'
import { queryInOthers } from '../incidents/dependencies/wake-dependants.js'
import { lookAtHeld } from '../incidents/policies/progress-rows.js'
import { isHeld, wakeLater } from '../incidents/wake-many.js'

/**
 * Makes the alerts of a project that a silence holds due, and the policies that wait for its end, because it may not hold them any more. Called after the
 * change that causes it was written: a plan in another transaction either sees the change, or ends before its rows are
 * looked for here. `checkIds`: only those of some checks. Returns whether there were any; a follow-up makes very many due. Decision 0115.
 */
export async function wakeHeld(
  db: Db,
  projectId: number,
  now: number,
  checkIds: readonly number[] | null = null,
): Promise<boolean> {
  await awaitPlans(db, projectId)
  const checks = await queryInOthers(
    db,
    db.sql
      .selectFrom('checks')
      .select('id')
      .where('project_id', '=', projectId)
      .$if(checkIds !== null, query => query.where('id', 'in', checkIds!)),
  )
  if (await wakeLater(db, { projectId, checks, onlySilenced: true }, now)) return false
  await lookAtHeld(db, checks, now)
  const { numUpdatedRows } = await db.sql
    .updateTable('deliveries')
    .set({ due_at: now })
    .where(isHeld)
    .where('held_by', '=', 'silence')
    .where('due_at', '>', now)
    .where('claimed_by', 'is', null)
    .where(sql<SqlBool>`check_id IN ${checks}`)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) > 0
}

/** Called after tags of checks have changed: silences of the project may hold them by tag. */
export async function wakeRetagged(
  db: Db,
  projectId: number,
  checkIds: readonly number[],
  now: number,
): Promise<boolean> {
  if (checkIds.length === 0) return false
  const held = await db.sql
    .selectFrom('silences')
    .select('id')
    .where('project_id', '=', projectId)
    .where('scope', 'like', '{"tags":%')
    .where(eb => eb.or([eb('over_at', 'is', null), eb('over_at', '>', now)]))
    .limit(1)
    .executeTakeFirst()
  return held !== undefined && (await wakeHeld(db, projectId, now, checkIds))
}
