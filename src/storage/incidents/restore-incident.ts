/** Opens an incident again whose pause is undone, as if it had never been closed. Decision 0116. */
import { DROP_NOTES } from '../../core/alerts/delivery/drop-notes.js'
import { undoableUntil } from '../../core/checks/undo.js'
import { addDeliveries, endPostponement } from '../alerts/deliveries.js'
import { channelsByCheck, linksOf } from '../channels/channel-links.js'
import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { recordEvent } from '../events/record-events.js'
import { latestIncident } from './latest-incident.js'
import { alertedBy } from './policies/alerted-by.js'
import { reachedBy } from './policies/begin-policies.js'
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
  const isDue = await endPostponement(db, check.id, undoableUntil(pausedAt), now)
  const again = await correct(db, check.id, { ...incident, pausedAt }, now)
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

/**
 * Corrects what was done about the pause before it was undone, because something made its messages due: channels that were
 * sent the end, or whose alert was dropped for it, are alerted; for others the alert counts as sent again. Returns whether a
 * delivery was added.
 */
async function correct(
  db: Db,
  checkId: number,
  incident: { id: number; flip_id: number; pausedAt: number },
  now: number,
): Promise<boolean> {
  const attempts = await db.sql
    .selectFrom('notifications')
    .select(['channel_id as channelId', 'check_status as status', 'created_at as at', 'error'])
    .where('check_id', '=', checkId)
    .where('incident_id', '=', incident.id)
    .orderBy('id')
    .execute()
  const last = new Map<number, 'down' | 'ended'>()
  for (const { channelId, status, at, error } of attempts) {
    const isDropped = error === DROP_NOTES.closed && at >= incident.pausedAt
    if (isDropped || (status === 'paused' && error === '')) last.set(channelId, 'ended')
    else if (status === 'down' && error === '') last.set(channelId, 'down')
  }
  const known = (await alertedBy(db, [incident.id])).get(incident.id)!
  const missing = [...last].filter(([channelId]) => !known.has(channelId))
  const flip = { checkId, flipId: incident.flip_id }
  const ended = missing.filter(([, told]) => told === 'ended').map(([channelId]) => channelId)
  const targets = await linkedAmong(db, checkId, incident.id, ended)
  const deliveries = targets.map(target => ({ ...flip, ...target, incidentId: incident.id }))
  await addDeliveries(db, deliveries, now)
  const informed = missing.filter(([, told]) => told === 'down')
  if (informed.length > 0) {
    const row = { check_id: checkId, flip_id: incident.flip_id, reported_at: now }
    await db.sql
      .insertInto('reported')
      .values(informed.map(([channelId]) => ({ ...row, channel_id: channelId })))
      .onConflict(conflict => conflict.columns(['check_id', 'channel_id']).doNothing())
      .execute()
  }
  return deliveries.length > 0
}

/** Those of these channels that are still linked to the check, or that a step has reached, and can be used. */
async function linkedAmong(
  db: Db,
  checkId: number,
  incidentId: number,
  channelIds: readonly number[],
): Promise<{ channelId: number; groupId: number | null }[]> {
  if (channelIds.length === 0) return []
  const links = channelsByCheck(await linksOf(db, [checkId])).get(checkId) ?? []
  const reached = (await reachedBy(db, [incidentId])).get(incidentId)!
  const targets = new Map([...reached, ...links].map(channel => [channel.channelId, channel])).values()
  return [...targets].filter(({ channelId, isDisabled }) => !isDisabled && channelIds.includes(channelId))
}
