/** What a channel is owed again because it is linked again. */
import { sql } from 'kysely'
import { linksOf } from '../../channels/channel-links.js'
import { WHEN_ENABLED } from '../../channels/disable-channel.js'
import { lockChannelRows } from '../../channels/lock-channels.js'
import { chunks } from '../../chunks.js'
import { unclaimed } from '../../claims.js'
import type { Db } from '../../db.js'
import { gatheredFirst } from '../../gathered.js'
import { policyApplies } from '../../incidents/policies/policy-rows.js'
import { addDeliveries } from '../deliveries.js'
import { isTarget } from './targets.js'

interface Owed {
  checkId: number
  channelId: number
  flipId: number
  incidentId: number
}

/**
 * Called after channels were linked to checks: a down alert that was dropped when the link was removed, and that never
 * arrived, is due again while its incident is open. So is an end that waited for the link; see `waitsForLink` of renew.ts.
 * Policies that had nothing left to do without the links are looked at again. Returns whether something is due.
 */
export async function oweAgain(db: Db, checkIds: readonly number[], now: number): Promise<boolean> {
  let isOwed = false
  for (const some of chunks(checkIds, db.dialect.maxParameters - 3)) {
    await lookAgain(db, some, now)
    if (await endWaitForLink(db, some, now)) isOwed = true
    const dropped = await droppedAlerts(db, some)
    if (dropped.length === 0) continue
    const links = await linksOf(db, [...new Set(dropped.map(({ checkId }) => checkId))])
    const groups = new Map<string, number | null>()
    for (const { checkId, channelId, groupId, isDisabled } of links)
      if (!isDisabled) groups.set(`${checkId} ${channelId}`, groupId)
    const owed = dropped.flatMap(alert => {
      const groupId = groups.get(`${alert.checkId} ${alert.channelId}`)
      return groupId === undefined ? [] : [{ ...alert, groupId }]
    })
    await addDeliveries(db, owed, now)
    if (owed.length > 0) isOwed = true
  }
  return isOwed
}

/** Looks at the policies of checks for which there was nothing left to do: without its link a channel had no step. */
async function lookAgain(db: Db, checkIds: readonly number[], now: number): Promise<void> {
  await sql`
    ${gatheredFirst(db, ['check_details'], checkIds)}
    UPDATE incident_channels SET look_at = ${now}
    WHERE check_id IN (${sql.join(checkIds)}) AND look_at IS NULL AND EXISTS (
      SELECT 1 FROM check_details d JOIN projects p ON p.id = d.project_id JOIN policies pol ON ${policyApplies}
      WHERE d.check_id = incident_channels.check_id
    )`.execute(db.sql)
}

/**
 * Makes the ends that wait for these links due. Their channels are locked, so that a claim either sees the links or has already let
 * the ends wait.
 */
async function endWaitForLink(db: Db, checkIds: readonly number[], now: number): Promise<boolean> {
  const ends = await db.sql
    .selectFrom('deliveries')
    .select('channel_id')
    .distinct()
    .where('check_id', 'in', checkIds)
    .where('closing', 'is not', null)
    .where(isTarget('deliveries.check_id', 'deliveries.channel_id'))
    .execute()
  if (ends.length === 0) return false
  await lockChannelRows(
    db,
    ends.map(({ channel_id }) => channel_id),
    'plans',
  )
  const due = await db.sql
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('check_id', 'in', checkIds)
    .where('closing', 'is not', null)
    .where('due_at', '=', WHEN_ENABLED)
    .where(unclaimed(now))
    .where(isTarget('deliveries.check_id', 'deliveries.channel_id'))
    .returning('id')
    .execute()
  return due.length > 0
}

async function droppedAlerts(db: Db, checkIds: readonly number[]): Promise<Owed[]> {
  const { rows } = await sql<Owed>`
    SELECT i.check_id AS "checkId", e.channel_id AS "channelId", i.flip_id AS "flipId", i.id AS "incidentId"
    FROM incidents i JOIN incident_events e ON e.incident_id = i.id
      AND e.kind = 'dropped' AND e.reason = 'unlinked' AND e.text = 'down'
    WHERE i.check_id IN (${sql.join(checkIds)}) AND i.closed_at IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM deliveries d
        WHERE d.channel_id = e.channel_id AND d.check_id = i.check_id AND d.flip_id = i.flip_id
      ) AND NOT EXISTS (
        SELECT 1 FROM reported r WHERE r.channel_id = e.channel_id AND r.check_id = i.check_id
      ) AND NOT EXISTS (
        SELECT 1 FROM notifications n
        WHERE n.check_id = i.check_id AND n.incident_id = i.id AND n.channel_id = e.channel_id
          AND n.check_status = 'down' AND n.error = ''
      )`.execute(db.sql)
  return rows
}
