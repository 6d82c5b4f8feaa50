/** Where a hold of very many alerts may have ended, a follow-up makes them due. Decisions 0115 and 0155. */
import { type Expression, type SqlBool, sql } from 'kysely'
import { haveMany, keepFollowUp } from '../alerts/follow-ups/keep.js'
import { channelCounts } from '../channels/count-targets.js'
import type { Db } from '../db.js'
import { lookAtHeld, mayBeHeld } from './policies/progress-rows.js'

/** As the condition of the index. */
export const isHeld = sql<SqlBool>`held_by IN ('silence', 'dependency')`

/** What a hold of a project may hold no longer. */
export interface Freed {
  projectId: number
  /** A query of the IDs of its checks. */
  checks: Expression<unknown>
  /** Only what a silence holds. */
  onlySilenced: boolean
}

/**
 * Keeps a follow-up if more is held than the transaction of a change should write. Called at the end of the change, with the channels locked.
 * Returns whether it did: else it is to be made due now. What else the project has held is made due, too, and held again if it has to be.
 */
export async function wakeLater(
  db: Db,
  { projectId, checks, onlySilenced }: Freed,
  now: number,
): Promise<boolean> {
  const reason = onlySilenced ? sql` AND held_by = 'silence'` : sql``
  const isMuch = await haveMany(
    db,
    sql`
      SELECT check_id FROM deliveries
      WHERE ${isHeld}${reason} AND due_at > ${now} AND claimed_by IS NULL AND check_id IN ${checks}
      UNION ALL SELECT check_id FROM incident_channels WHERE ${mayBeHeld(now)} AND check_id IN ${checks}`,
  )
  if (isMuch) await keepFollowUp(db, { projectId, kind: 'held', subject: projectId })
  return isMuch
}

/** About how many alerts are made due together. */
const ALERTS_AT_ONCE = 1_000

/**
 * Makes due what is held of the next checks of a project after `after`, by ID, and lets their policies be looked at. Called with the channels
 * locked. `next`: after which check to go on; null: these were the last.
 */
export async function wakeNext(
  db: Db,
  projectId: number,
  after: number,
  now: number,
): Promise<{ next: number | null; alerts: boolean }> {
  const channels = (await channelCounts(db, new Set([projectId]))).get(projectId) ?? 0
  const checksAtOnce = Math.max(1, Math.floor(ALERTS_AT_ONCE / Math.max(1, channels)))
  const rows = await db.sql
    .selectFrom('checks')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(checksAtOnce)
    .execute()
  if (rows.length === 0) return { next: null, alerts: false }
  const ids = rows.map(({ id }) => id)
  await lookAtHeld(db, sql`(${sql.join(ids)})`, now)
  const { numUpdatedRows } = await db.sql
    .updateTable('deliveries')
    .set({ due_at: now })
    .where(isHeld)
    .where('due_at', '>', now)
    .where('claimed_by', 'is', null)
    .where('check_id', 'in', ids)
    .executeTakeFirstOrThrow()
  return { next: rows.length < checksAtOnce ? null : ids.at(-1)!, alerts: Number(numUpdatedRows) > 0 }
}
