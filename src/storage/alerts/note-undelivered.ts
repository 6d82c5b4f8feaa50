import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { nextAttemptAt } from '../../core/alerts/delivery/retry.js'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { gatheredFirst } from '../gathered.js'
import { latestIncident } from '../incidents/latest-incident.js'
import { isTarget } from './links/targets.js'

/** A message that a service accepted and then reported as undelivered. */
interface Undelivered {
  channelId: number
  /** The notification that the service knows. */
  notificationUuid: string
  /**
   * When it is sent again if nothing else waits: after the channel is enabled or changed, because sending it at once would only
   * fail again, and may cost money; after the pause of an attempt that failed; at once if the channel was enabled or redirected since.
   */
  again: 'when-changed' | 'after-pause' | 'at-once'
  now: number
}

interface Unreported {
  check_id: number
  flip_id: number
  incident_id: number | null
  /** The number of attempts at it. */
  attempts: number
}

/**
 * Records that a message did not reach the channel, except what a later message has delivered. Waiting deliveries about
 * the checks of its down alerts will mention it. If there are none, the down alert waits, and so does a recovery after
 * which nothing happened to its check. A recovery that was sent before the channel was enabled or redirected does not
 * wait, because the destination may have changed.
 */
export async function noteUndelivered(db: Db, message: Undelivered): Promise<void> {
  const waits = message.again === 'at-once' ? [] : await lastRecoveries(db, message)
  for (const some of chunks(await deleteReported(db, message), 200)) {
    const waiting = await db.sql
      .updateTable('deliveries')
      .set({ missed: 1 })
      .where('channel_id', '=', message.channelId)
      .where(
        'check_id',
        'in',
        some.map(row => row.check_id),
      )
      .returning('check_id')
      .execute()
    const about = new Set(waiting.map(row => row.check_id))
    waits.push(...some.filter(row => !about.has(row.check_id)))
  }
  await sendAgain(db, message, waits)
}

/** Deletes what was reported by the message, unless an earlier one about the same incident arrived, and returns it. */
async function deleteReported(db: Db, message: Undelivered): Promise<Unreported[]> {
  const { rows } = await sql<Unreported>`
    DELETE FROM reported WHERE channel_id = ${message.channelId} AND EXISTS (
      SELECT 1 FROM notifications n
      WHERE ${isOf(message)} AND n.check_id = reported.check_id AND n.flip_id = reported.flip_id AND NOT EXISTS (
        SELECT 1 FROM notifications earlier
        WHERE earlier.check_id = n.check_id AND earlier.channel_id = n.channel_id AND earlier.id < n.id
          AND earlier.flip_id = n.flip_id AND earlier.error = ''
      )
    )
    RETURNING check_id, flip_id, ${latestIncident('reported.check_id')} AS incident_id, (
      SELECT max(n.attempt) FROM notifications n WHERE ${isOf(message)} AND n.check_id = reported.check_id
    ) AS attempts`.execute(db.sql)
  return rows
}

/** The recoveries of the message whose checks did not change since. */
async function lastRecoveries(db: Db, message: Undelivered): Promise<Unreported[]> {
  const checks = sql`(SELECT n.check_id FROM notifications n WHERE ${isOf(message)})`
  const { rows } = await sql<Unreported>`
    ${gatheredFirst(db, ['checks', 'flips'], checks)}
    SELECT n.check_id, n.flip_id, n.incident_id, n.attempt AS attempts FROM notifications n JOIN checks c ON c.id = n.check_id
    WHERE ${isOf(message)} AND n.channel_id = ${message.channelId} AND n.check_status = 'up' AND c.status <> 'down'
      AND n.flip_id = (SELECT max(f.id) FROM flips f WHERE f.check_id = n.check_id AND f.old_status = 'down')
      AND ${isTarget('n.check_id', 'n.channel_id')}
      AND NOT EXISTS (
        SELECT 1 FROM deliveries d WHERE d.channel_id = n.channel_id AND d.check_id = n.check_id
      )`.execute(db.sql)
  return rows
}

/** Whether `notifications n` is an attempt of the message, and no later message about its check was delivered. */
function isOf({ notificationUuid }: Undelivered) {
  return sql<boolean>`(n.uuid = ${notificationUuid} OR n.message_uuid = ${notificationUuid})
    AND NOT EXISTS (
      SELECT 1 FROM notifications later
      WHERE later.check_id = n.check_id AND later.channel_id = n.channel_id AND later.id > n.id AND later.error = ''
    )`
}

async function sendAgain(
  db: Db,
  { channelId, again, now }: Undelivered,
  unreported: readonly Unreported[],
): Promise<void> {
  for (const some of chunks(unreported, 200)) {
    await db.sql
      .insertInto('deliveries')
      .values(
        some.map(({ check_id, flip_id, incident_id, attempts }) => ({
          uuid: randomUUID(),
          channel_id: channelId,
          check_id,
          flip_id,
          incident_id,
          missed: 1 as const,
          ...(again === 'after-pause'
            ? { attempts, due_at: nextAttemptAt({ since: now, attempts, lasting: true }, now)! }
            : { due_at: again === 'at-once' ? now : WHEN_ENABLED }),
          created_at: now,
        })),
      )
      .execute()
  }
}
