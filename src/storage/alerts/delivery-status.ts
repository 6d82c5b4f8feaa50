/** A report by a service about a message that it had accepted. Source: docs/behaviour.md, section 4.10. */

import type { Notice } from '../../core/alerts/alert.js'
import { disableChannel } from '../channels/disable-channel.js'
import type { Db } from '../db.js'
import { read, write } from '../method.js'
import { noteUndelivered } from './note-undelivered.js'
import { ERROR_LENGTH } from './settle-message.js'

export interface DeliveryStatus {
  notificationUuid: string
  error: string
  /** Not null: the channel is disabled, and the project's other channels are sent this notice. */
  disabled: Omit<Notice, 'now' | 'site'> | null
  now: number
  /** Reports about notifications before this instant (ms) are ignored. */
  since: number
}

/** The channel of a notification. */
export interface NotifiedChannel {
  uuid: string
  kind: string
  name: string
  settings: Record<string, string>
  disabled: boolean
  /** Whether the notification went to the channel's current recipient. */
  isCurrent: boolean
}

/** The channel of a notification created at `since` (ms) or later, or null. */
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
 * Records the error on the notification, or on one for each check of a digest. If the channel still has the same
 * recipient, also on the channel, and the message counts as not reported. Reports about unknown or old
 * notifications are ignored.
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
