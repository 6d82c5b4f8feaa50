import { randomUUID } from 'node:crypto'
import { isRenewed, mayHaveEnded, renewedChange } from '../../../core/alerts/delivery/renew.js'
import type { StoredStatus } from '../../../core/checks/check.js'
import type { FlipReason } from '../../../core/checks/flip.js'
import { unclaimed } from '../../claims.js'
import type { Db } from '../../db.js'
import { gathered } from '../../gathered.js'
import { latestIncident } from '../../incidents/latest-incident.js'
import { UNTRIED } from '../deliveries.js'
import { noteInterrupted } from '../notifications.js'
import { noteReportedUp } from '../reported.js'
import { lockChannel } from '../waiting/waiting-channel.js'
import type { WaitingRow } from '../waiting/waiting-row.js'
import { isNewestForTarget } from './targets.js'

/**
 * If a channel was linked to a check again before the end of its incident was sent, replaces the check's waiting
 * rows, oldest first, by what is true: a down alert or the recovery. Returns the rows that wait then. It keeps the ID of the newest
 * row, so that a flip stored at the same time comes after it, and gets a new UUID, because it is another message.
 */
export async function renewWaiting(
  db: Db,
  rows: readonly WaitingRow[],
  now: number,
): Promise<readonly WaitingRow[]> {
  const newest = rows.at(-1)!
  const changes = rows.map(row => row.change!)
  if (!isRenewed({ ...newest, changes })) return rows
  const { isDown } = newest
  const flip = await lastFlip(db, newest.checkId!, isDown ? 'new_status' : 'old_status')
  if (!flip) return rows
  const ended = isDown && mayHaveEnded(changes)
  const reported = ended ? null : newest.reported
  const status = flip.new_status as 'down' | 'up' | 'paused'
  const last = { status, flipId: flip.id, at: flip.created_at, isReported: reported?.flipId === flip.id }
  const change = renewedChange(changes, last, now)
  await noteInterrupted(
    db,
    newest.channelId,
    rows.filter(({ abandoned }) => abandoned).map(({ uuid, checkId }) => ({ uuid, checkId })),
  )
  const older = rows.slice(0, -1).map(({ id }) => id)
  if (older.length > 0) await db.sql.deleteFrom('deliveries').where('id', 'in', older).execute()
  if (ended) await noteReportedUp(db, { channelId: newest.channelId }, [{ checkId: newest.checkId! }])
  const uuid = randomUUID()
  await db.sql
    .updateTable('deliveries')
    .set({ ...UNTRIED, uuid, again: change.again, missed: change.missed ? 1 : 0 })
    .set({ due_at: now, created_at: now, flip_id: flip.id, incident_id: flip.incident_id })
    .where('id', '=', newest.id)
    .where(unclaimed(now))
    .execute()
  return [
    {
      ...newest,
      uuid,
      flipId: flip.id,
      incidentId: flip.incident_id,
      flip: {
        createdAt: flip.created_at,
        oldStatus: flip.old_status as StoredStatus,
        newStatus: status,
        reason: flip.reason as FlipReason,
      },
      closing: null,
      abandoned: false,
      createdAt: now,
      attempts: 0,
      charged: 0,
      reported,
      change,
    },
  ]
}

/**
 * Called when a message was sent, before its deliveries are deleted. Each of `ends`, which end a check for the
 * channel, becomes a down alert if the channel is linked to the check again, the check is down, and nothing newer
 * waits. The channel is locked, so that a group that is enabled at the same time either counts here or sees what is
 * settled. Returns the checks.
 */
export async function renewSent(
  db: Db,
  { worker, channelId, now }: { worker: string; channelId: number; now: number },
  ends: readonly { deliveryUuid: string; checkId: number | null }[],
): Promise<{ checkId: number }[]> {
  if (ends.length > 0) await lockChannel(db, channelId)
  const renewed: { checkId: number }[] = []
  for (const { deliveryUuid, checkId } of ends) {
    const flip = await lastFlip(db, checkId!, 'new_status')
    if (!flip) continue
    const row = await db.sql
      .updateTable('deliveries')
      .set({ ...UNTRIED, uuid: randomUUID(), missed: 0, due_at: now, created_at: now })
      .set({ flip_id: flip.id, incident_id: flip.incident_id })
      .where('uuid', '=', deliveryUuid)
      .where('claimed_by', '=', worker)
      .where(isNewestForTarget())
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('checks as c')
            .select('c.id')
            .where('c.id', '=', checkId!)
            .where('c.status', '=', 'down'),
        ),
      )
      .returning('id')
      .executeTakeFirst()
    if (row) renewed.push({ checkId: checkId! })
  }
  return renewed
}

/** The last flip of a check to down, or from down. */
async function lastFlip(db: Db, checkId: number, side: 'new_status' | 'old_status') {
  return await gathered(db, ['flips'], [checkId])
    .selectFrom('flips')
    .select(['id', 'created_at', 'old_status', 'new_status', 'reason'])
    .select(latestIncident('flips.check_id').as('incident_id'))
    .where('check_id', '=', checkId)
    .where(side, '=', 'down')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
