/** What a service that carries messages says of one after it took it. Source: docs/behaviour.md, section 4.10. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Notice } from '../../core/alerts/alert.js'
import { disableChannel, WHEN_ENABLED } from '../channels/disable-channel.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { read, write } from '../method.js'
import { ERROR_LENGTH } from './settle-message.js'

export interface DeliveryStatus {
  notificationUuid: string
  error: string
  /** Not null: the channel is to be used no more, and this is told through the project's others. */
  disabled: Omit<Notice, 'now' | 'site'> | null
  now: number
  /** News of a notification from before are ignored (ms). */
  since: number
}

/** The channel that a notification went through. */
export interface NotifiedChannel {
  uuid: string
  kind: string
  name: string
  settings: Record<string, string>
  disabled: boolean
  /** Whether the notification went to the recipient that the channel has now. */
  isCurrent: boolean
}

/** The channel of a notification made at `since` or later (ms), or null. */
export const notifiedChannel = read(
  async (db: Db, uuid: string, since: number): Promise<NotifiedChannel | null> => {
    const row = await db.sql
      .selectFrom('notifications as n')
      .innerJoin('channels as c', 'c.id', 'n.channel_id')
      .select([
        'c.uuid',
        'c.kind',
        'c.name',
        'c.settings',
        'c.disabled',
        'c.recipient_since as since',
        'n.created_at as at',
      ])
      .where('n.uuid', '=', uuid)
      .where('n.created_at', '>=', since)
      .executeTakeFirst()
    if (!row) return null
    const { settings, disabled, since: recipientSince, at, ...channel } = row
    const isCurrent = recipientSince === null || at > recipientSince
    return { ...channel, settings: JSON.parse(settings), disabled: disabled === 1, isCurrent }
  },
)

/**
 * Notes the error on the notification, of each check where there are several, and where the channel has the same recipient
 * still, on the channel, which has not learned what the message said. News of unknown or old notifications are ignored.
 */
export const noteDeliveryStatus = write(async (db: Db, status: DeliveryStatus): Promise<void> => {
  const error = status.error.slice(0, ERROR_LENGTH)
  const notification = await db.sql
    .updateTable('notifications')
    .set({ error })
    .where(eb =>
      eb.or([eb('uuid', '=', status.notificationUuid), eb('message_uuid', '=', status.notificationUuid)]),
    )
    .where('created_at', '>=', status.since)
    .returning(['channel_id', 'created_at'])
    .executeTakeFirst()
  if (!notification) return
  const { channel_id: channelId, created_at: sentAt } = notification
  const concerned = await db.sql
    .updateTable('channels')
    .set({ last_error: error })
    .where('id', '=', channelId)
    .where(eb => eb.or([eb('recipient_since', 'is', null), eb('recipient_since', '<', sentAt)]))
    .returning('id')
    .executeTakeFirst()
  if (!concerned) return
  await noteUndelivered(db, channelId, status.notificationUuid, status.now)
  if (status.disabled) await disableChannel(db, channelId, status.disabled, status.now)
})

/**
 * Notes that the down alerts of a message, named by the notification that the service knows, did not reach the channel. What
 * waits about their checks says so when it is sent. Where nothing waits, a delivery does until the channel is enabled or
 * changed, or the check changes: sending it again at once would only fail again, and may cost money.
 */
async function noteUndelivered(
  db: Db,
  channelId: number,
  notificationUuid: string,
  now: number,
): Promise<void> {
  const { rows: unlearned } = await sql<{ check_id: number; flip_id: number }>`
    DELETE FROM reported WHERE channel_id = ${channelId} AND EXISTS (
      SELECT 1 FROM notifications n
      WHERE (n.uuid = ${notificationUuid} OR n.message_uuid = ${notificationUuid})
        AND n.check_id = reported.check_id AND n.flip_id = reported.flip_id
    )
    RETURNING check_id, flip_id`.execute(db.sql)
  for (const some of chunks(unlearned, 200)) {
    const waiting = await db.sql
      .updateTable('deliveries')
      .set({ missed: 1 })
      .where('channel_id', '=', channelId)
      .where(
        'check_id',
        'in',
        some.map(row => row.check_id),
      )
      .returning('check_id')
      .execute()
    const about = new Set(waiting.map(row => row.check_id))
    const alone = some.filter(row => !about.has(row.check_id))
    if (alone.length === 0) continue
    await db.sql
      .insertInto('deliveries')
      .values(
        alone.map(({ check_id, flip_id }) => ({
          uuid: randomUUID(),
          channel_id: channelId,
          check_id,
          flip_id,
          missed: 1 as const,
          due_at: WHEN_ENABLED,
          created_at: now,
        })),
      )
      .execute()
  }
}
