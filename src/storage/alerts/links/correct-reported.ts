/** Corrects what channels count as knowing of an incident whose end for them is undone. Decisions 0116 and 0126. */
import { sql } from 'kysely'
import { DROP_NOTES } from '../../../core/alerts/delivery/drop-notes.js'
import { channelsByCheck, linksOf } from '../../channels/channel-links.js'
import type { Db } from '../../db.js'
import { gatheredFirst } from '../../gathered.js'
import { alertedBy } from '../../incidents/policies/alerted-by.js'
import { reachedBy } from '../../incidents/policies/begin-policies.js'
import { addDeliveries } from '../deliveries.js'
import { isTarget } from './targets.js'

/** An incident, and since when (ms) what was done about its end is undone. */
export interface Corrected {
  id: number
  checkId: number
  flipId: number
  isOpen: boolean
  since: number
}

/**
 * Corrects what was done about the ends of incidents before that was undone, because something made their messages due: if one is
 * open, channels that were sent the end, or whose alert was dropped for it, are alerted; for others the alert counts as
 * sent again. `among`: only these channels. Returns whether a delivery was added.
 */
export async function correctReported(
  db: Db,
  incidents: readonly Corrected[],
  now: number,
  among?: readonly number[],
): Promise<boolean> {
  if (incidents.length === 0) return false
  const known = await alertedBy(
    db,
    incidents.map(({ id }) => id),
  )
  const sent = await lastSent(db, incidents)
  let alerts = false
  for (const incident of incidents) {
    const missing = [...sent.get(incident.id)!].filter(
      ([channelId]) => !known.get(incident.id)!.has(channelId) && (among?.includes(channelId) ?? true),
    )
    // Nearly always empty.
    if (missing.length > 0 && (await correct(db, incident, missing, now))) alerts = true
  }
  return alerts
}

async function correct(
  db: Db,
  { id, checkId, flipId, isOpen }: Corrected,
  missing: readonly [number, 'down' | 'end'][],
  now: number,
): Promise<boolean> {
  const alerted = missing.filter(([, sent]) => sent === 'down').map(([channelId]) => channelId)
  const informed = alerted.length > 0 ? await targetsAmong(db, checkId, alerted) : []
  if (informed.length > 0) {
    const row = { check_id: checkId, flip_id: flipId, reported_at: now }
    await db.sql
      .insertInto('reported')
      .values(informed.map(channelId => ({ ...row, channel_id: channelId })))
      .onConflict(conflict => conflict.columns(['check_id', 'channel_id']).doNothing())
      .execute()
  }
  const ended = missing.filter(([, sent]) => sent === 'end').map(([channelId]) => channelId)
  const targets = isOpen ? await linkedAmong(db, checkId, id, ended) : []
  await addDeliveries(
    db,
    targets.map(target => ({ checkId, flipId, ...target, incidentId: id })),
    now,
  )
  return targets.length > 0
}

/** Those of these channels that are linked to the check, even if they are disabled; of others nothing is owed. */
async function targetsAmong(db: Db, checkId: number, channelIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    ${gatheredFirst(db, ['checks'], [checkId])}
    SELECT ch.id FROM channels ch JOIN checks c ON c.id = ${checkId}
    WHERE ch.id IN (${sql.join(channelIds)}) AND ${isTarget('c.id', 'ch.id')}`.execute(db.sql)
  return rows.map(({ id }) => id)
}

/** What each channel was sent last of each incident: that the check is down, or an end that is undone. */
async function lastSent(db: Db, incidents: readonly Corrected[]) {
  const last = new Map(incidents.map(({ id }) => [id, new Map<number, 'down' | 'end'>()]))
  const byId = new Map(incidents.map(incident => [incident.id, incident]))
  const attempts = await db.sql
    .selectFrom('notifications')
    .select([
      'incident_id as incident',
      'check_id as checkId',
      'channel_id as channelId',
      'check_status as status',
      'flip_id as flip',
      'created_at as at',
      'error',
    ])
    .where(
      'check_id',
      'in',
      incidents.map(({ checkId }) => checkId),
    )
    .where('incident_id', 'in', [...last.keys()])
    .orderBy('id')
    .execute()
  for (const { incident, checkId, channelId, status, flip, at, error } of attempts) {
    const { flipId, since, checkId: own } = byId.get(incident!)!
    if (checkId !== own) continue
    const isDropped = error === DROP_NOTES.closed && at >= since
    const isSent = error === ''
    // What ends a link names no flip.
    const isEnd = status === 'paused' || (status === 'up' && flip === null)
    const sent = last.get(incident!)!
    // An end from before is not undone.
    if (isDropped || (isSent && isEnd && at >= since)) sent.set(channelId, 'end')
    else if (isSent && status === 'down' && flip === flipId) sent.set(channelId, 'down')
    else if (isSent) sent.delete(channelId)
  }
  return last
}

/** Those of these channels that are linked to the check, or that a step has reached, and can be used. */
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
  return [...targets].flatMap(({ isDisabled, channelId, groupId }) =>
    !isDisabled && channelIds.includes(channelId) ? [{ channelId, groupId }] : [],
  )
}
