/** Finds the channels of incidents whose time to be looked at has come, the projects in turns. Decision 0103. */
import type { Db } from '../../db.js'
import { skippingLocked } from '../../locks.js'
import type { Among } from '../../set-aside.js'
import { walkDue } from '../../walk-due.js'
import type { ProgressRow } from './progress-rows.js'

/** The number of projects that one walk passes. */
const STEPS = 256

const LOOKS = { table: 'incident_channels', whose: 'project_id', due: 'look_at' }

/**
 * The rows that are due, which are locked; those that others have locked are left out. If there are `limit` or more, about as many rows
 * of projects in turn, each of which has the same share, beginning after the project `after`. `next`: where the next turn begins; 0:
 * with the first project.
 */
export async function findDue(
  db: Db,
  now: number,
  { limit, after, among: { only, except = [] } }: { limit: number; after: number; among: Among },
): Promise<{ found: ProgressRow[]; next: number }> {
  const due = db.sql
    .selectFrom('incident_channels')
    .where('look_at', '<=', now)
    .$if(only !== undefined, query => query.where('incident_id', 'in', only!))
    .$if(except.length > 0, query => query.where('incident_id', 'not in', except))
    .orderBy('look_at')
  const oldest = await due.select('look_at').limit(limit).execute()
  if (oldest.length < limit) {
    return { found: await skippingLocked(db, due.selectAll().limit(limit)).execute(), next: 0 }
  }
  const passed = await walkDue(db, LOOKS, after, STEPS)
  const waiting = passed.filter(({ dueAt }) => dueAt <= now)
  const inTurn = waiting.slice(0, limit)
  const found: ProgressRow[] = []
  for (const { id } of inTurn) {
    const share = due
      .selectAll()
      .where('project_id', '=', id)
      .limit(Math.ceil(limit / inTurn.length))
    found.push(...(await skippingLocked(db, share).execute()))
  }
  if (inTurn.length < waiting.length) return { found, next: inTurn.at(-1)!.id }
  return { found, next: passed.length < STEPS ? 0 : passed.at(-1)!.id }
}
