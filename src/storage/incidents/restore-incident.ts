/** Opens an incident again whose pause is undone, as if it had never been closed. Decision 0116. */
import { undoableUntil } from '../../core/checks/undo.js'
import { endPostponement } from '../alerts/deliveries.js'
import { correctReported } from '../alerts/links/correct-reported.js'
import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { recordEvent } from '../events/record-events.js'
import { latestIncident } from './latest-incident.js'
import { followPolicies } from './policies/follow-policies.js'

interface RestoredCheck {
  id: number
  projectId: number
  uuid: string
  name: string
}

/**
 * Opens the incident that the pause of a locked check at `pausedAt` closed, and deletes the flips since. Channels hear nothing of
 * the pause, and what waited for it goes on; one that was already sent the end is alerted again. Null if the pause closed none, or
 * its end is being sent right now; else whether deliveries are due.
 */
export async function restoreIncident(
  db: Db,
  check: RestoredCheck,
  pausedAt: number,
  now: number,
): Promise<boolean | null> {
  const incident = await db.sql
    .selectFrom('incidents')
    .select(['id', 'flip_id', 'cause'])
    .where('id', '=', latestIncident('incidents.check_id'))
    .where('check_id', '=', check.id)
    .where('closed_at', '=', pausedAt)
    .where('closed_by', '=', 'paused')
    .executeTakeFirst()
  if (!incident) return null
  await deleteClosings(db, check.id, incident.flip_id, now)
  if (await hasClosings(db, check.id, incident.flip_id)) return null
  await db.sql
    .deleteFrom('flips')
    .where('check_id', '=', check.id)
    .where('id', '>', incident.flip_id)
    .where('created_at', '>=', pausedAt)
    .execute()
  // SQLite gives the last IDs out again.
  await db.sql
    .updateTable('notifications')
    .set({ flip_id: null })
    .where('check_id', '=', check.id)
    .where('flip_id', '>', incident.flip_id)
    .execute()
  await db.sql
    .updateTable('incidents')
    .set({ closed_at: null, closed_by: null, releases: 0, release_at: null })
    .where('id', '=', incident.id)
    .execute()
  const note = { incident_id: incident.id, created_at: now, kind: 'note', author: db.actor?.name ?? '' }
  const text = `Paused at ${new Date(pausedAt).toISOString().slice(11, 19)} UTC; the pause was undone.`
  await db.sql
    .insertInto('incident_events')
    .values({ ...note, text })
    .execute()
  const after = { check: check.uuid, cause: incident.cause }
  const object = { id: incident.id, name: check.name }
  await recordEvent(db, { projectId: check.projectId, type: 'incident.reopened', object, after }, now)
  const isDue = await endPostponement(db, { checkIds: [check.id], dueAt: undoableUntil(pausedAt) }, now)
  const corrected = {
    id: incident.id,
    checkId: check.id,
    flipId: incident.flip_id,
    isOpen: true,
    since: pausedAt,
  }
  const again = await correctReported(db, corrected, now)
  // It may have been created or chosen meanwhile. Without one, channels that were linked meanwhile hear nothing, as without the pause.
  await followPolicies(db, { projectId: check.projectId, checkId: check.id, evenWithout: false }, now)
  return isDue || again
}

async function deleteClosings(db: Db, checkId: number, downFlipId: number, now: number): Promise<void> {
  await db.sql
    .deleteFrom('deliveries')
    .where('check_id', '=', checkId)
    .where('flip_id', '>', downFlipId)
    .where(unclaimed(now))
    .execute()
}

async function hasClosings(db: Db, checkId: number, downFlipId: number): Promise<boolean> {
  const row = await db.sql
    .selectFrom('deliveries')
    .select('id')
    .where('check_id', '=', checkId)
    .where('flip_id', '>', downFlipId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
