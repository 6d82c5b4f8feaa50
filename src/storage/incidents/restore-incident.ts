/** Opens an incident again whose pause is undone, as if it had never been closed. Decision 0116. */
import { undoableUntil } from '../../core/checks/undo.js'
import { addDeliveries } from '../alerts/deliveries.js'
import { channelsByCheck, linksOf } from '../channels/channel-links.js'
import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { recordEvent } from '../events/record-events.js'
import { latestIncident } from './latest-incident.js'
import { reachedBy } from './policies/begin-policies.js'
import { lookNow } from './policies/progress-rows.js'

interface RestoredCheck {
  id: number
  projectId: number
  uuid: string
  name: string
}

/**
 * Opens the incident that the pause of a locked check at `pausedAt` closed. Channels hear nothing of the pause, and what waited for
 * it goes on. One that was already sent the end is alerted again. Null if the pause closed none; else whether deliveries are due.
 */
export async function restoreIncident(
  db: Db,
  check: RestoredCheck,
  pausedAt: number,
  now: number,
): Promise<boolean | null> {
  const incident = await db.sql
    .updateTable('incidents')
    .set({ closed_at: null, closed_by: null, releases: 0 })
    .whereRef('id', '=', latestIncident('incidents.check_id'))
    .where('check_id', '=', check.id)
    .where('closed_at', '=', pausedAt)
    .where('closed_by', '=', 'paused')
    .returning(['id', 'flip_id', 'cause'])
    .executeTakeFirst()
  if (!incident) return null
  const note = { incident_id: incident.id, created_at: now, kind: 'note', author: db.actor?.name ?? '' }
  const text = `Paused at ${new Date(pausedAt).toISOString().slice(11, 19)} UTC; the pause was undone.`
  await db.sql
    .insertInto('incident_events')
    .values({ ...note, text })
    .execute()
  const after = { check: check.uuid, cause: incident.cause }
  const object = { id: incident.id, name: check.name }
  await recordEvent(db, { projectId: check.projectId, type: 'incident.reopened', object, after }, now)
  await lookNow(db, [incident.id], now)
  return await takeBackClosings(db, check, { ...incident, pausedAt }, now)
}

/** Deletes what would send the pause, and lets what it postponed go on. Returns whether something is due. */
async function takeBackClosings(
  db: Db,
  check: RestoredCheck,
  incident: { id: number; flip_id: number; pausedAt: number },
  now: number,
): Promise<boolean> {
  const closings = await db.sql
    .deleteFrom('deliveries')
    .where('check_id', '=', check.id)
    .where('flip_id', '>', incident.flip_id)
    .where('incident_id', '=', incident.id)
    .where(unclaimed(now))
    .returning('channel_id')
    .execute()
  const postponed = await db.sql
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('check_id', '=', check.id)
    .where('due_at', '>', now)
    .where('due_at', '<=', undoableUntil(now))
    .where(unclaimed(now))
    .returning('id')
    .execute()
  const unheard = new Set(closings.map(row => row.channel_id))
  const links = channelsByCheck(await linksOf(db, [check.id])).get(check.id) ?? []
  const reached = (await reachedBy(db, [incident.id])).get(incident.id)!
  const targets = new Map([...reached, ...links].map(channel => [channel.channelId, channel])).values()
  const waiting = await waitingFor(db, check.id, incident.flip_id)
  const again = [...targets].filter(
    ({ channelId, isDisabled }) => !isDisabled && !unheard.has(channelId) && !waiting.has(channelId),
  )
  await addDeliveries(
    db,
    again.map(({ channelId, groupId }) => ({
      checkId: check.id,
      flipId: incident.flip_id,
      channelId,
      groupId,
      incidentId: incident.id,
    })),
    now,
  )
  return postponed.length > 0 || again.length > 0
}

/** The channels for which the down alert of a flip waits. */
async function waitingFor(db: Db, checkId: number, flipId: number): Promise<Set<number>> {
  const rows = await db.sql
    .selectFrom('deliveries')
    .select('channel_id')
    .where('check_id', '=', checkId)
    .where('flip_id', '=', flipId)
    .execute()
  return new Set(rows.map(row => row.channel_id))
}
