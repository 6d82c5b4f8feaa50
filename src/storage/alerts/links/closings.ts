/** A check is deleted while channels were last sent that it is down: the closing message outlives the check. */
import { sql } from 'kysely'
import type { Db } from '../../db.js'
import type { Closing } from '../waiting.js'
import { endTargets } from './end-targets.js'

/** The longest time (ms) of an attempt under way; the closing is sent after it. */
const ATTEMPT_MS = 40_000

/**
 * Adds a closing message for each channel to which the check was reported down, or may be right now. Called before
 * the check and its deliveries are deleted. Returns whether there is one.
 */
export async function leaveClosings(db: Db, checkId: number, now: number): Promise<boolean> {
  await endTargets(db, { checkId, evenLinked: true }, 'deleted', now)
  const rows = await db.sql
    .selectFrom('deliveries as d')
    .leftJoin('reported as r', join =>
      join.onRef('r.channel_id', '=', 'd.channel_id').onRef('r.check_id', '=', 'd.check_id'),
    )
    .select(['d.id', 'd.closing', 'd.attempts', 'd.claimed_by', 'd.due_at', 'r.flip_id as reported'])
    .select(
      sql<number>`CASE WHEN EXISTS (
        SELECT 1 FROM deliveries o
        WHERE o.channel_id = d.channel_id AND o.check_id = d.check_id AND o.id <> d.id AND o.claimed_by IS NOT NULL
      ) THEN 1 ELSE 0 END`.as('sending'),
    )
    .where('d.check_id', '=', checkId)
    .where('d.closing', 'is not', null)
    .execute()
  for (const { id, closing, attempts, claimed_by, due_at, reported, sending } of rows) {
    const left: Closing = { ...(JSON.parse(closing!) as Closing), reported: reported !== null }
    await db.sql
      .updateTable('deliveries')
      .set({
        check_id: null,
        closing: JSON.stringify(left),
        // It is not known whether the alert arrived, so the plan closes the incident anyway.
        attempts: reported === null && claimed_by === null ? Math.max(attempts, 1) : attempts,
        due_at: sending === 1 ? Math.max(due_at, now + ATTEMPT_MS) : due_at,
      })
      .where('id', '=', id)
      .execute()
  }
  return rows.length > 0
}
