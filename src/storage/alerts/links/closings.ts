/** A check is deleted while channels were last sent that it is down: the closing message outlives the check. */
import { sql } from 'kysely'
import { WHEN_ENABLED } from '../../channels/disable-channel.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import type { Closing } from '../waiting/waiting-row.js'
import { endTargets } from './end-targets.js'

/** The longest time (ms) of an attempt under way; the closing is sent after it. */
const ATTEMPT_MS = 40_000

/**
 * Adds a closing message for each channel to which one of these checks was reported down, or may be right now. Called before
 * the checks and their deliveries are deleted. Returns whether there is one.
 */
export async function leaveClosings(db: Db, checkIds: readonly number[], now: number): Promise<boolean> {
  await endTargets(db, { checkIds, evenLinked: true }, 'deleted', now)
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
    .where('d.check_id', 'in', checkIds)
    .where('d.closing', 'is not', null)
    .execute()
  for (const { closing, reported, ids, ...changes } of groupsOf(rows, now)) {
    const left: Closing = { ...(JSON.parse(closing) as Closing), reported }
    for (const some of chunks(ids, db.dialect.maxParameters - 4)) {
      await db.sql
        .updateTable('deliveries')
        .set({ check_id: null, closing: JSON.stringify(left), ...changes })
        .where('id', 'in', some)
        .execute()
    }
  }
  return rows.length > 0
}

interface Row {
  id: number
  closing: string | null
  attempts: number
  claimed_by: string | null
  due_at: number
  reported: number | null
  sending: number
}

/** Rows that become alike, so that one statement changes those of many channels. */
function groupsOf(rows: readonly Row[], now: number) {
  const groups = new Map<string, Left & { ids: number[] }>()
  for (const row of rows) {
    const left = leftOf(row, now)
    const key = JSON.stringify(left)
    const group = groups.get(key) ?? { ...left, ids: [] }
    group.ids.push(row.id)
    groups.set(key, group)
  }
  return groups.values()
}

interface Left {
  closing: string
  reported: boolean
  attempts: number
  due_at: number
}

function leftOf({ closing, attempts, claimed_by, due_at, reported, sending }: Row, now: number): Left {
  // No link is to come any more; what waits for a disabled channel is planned to wait again.
  const dueBefore = due_at === WHEN_ENABLED ? now : due_at
  const dueAt = sending === 1 ? Math.max(dueBefore, now + ATTEMPT_MS) : dueBefore
  return {
    closing: closing!,
    reported: reported !== null,
    // It is not known whether the alert arrived, so the plan closes the incident anyway.
    attempts: reported === null && claimed_by === null ? Math.max(attempts, 1) : attempts,
    due_at: dueAt,
  }
}
