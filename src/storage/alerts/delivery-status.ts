/** A report by a service about a message that it had accepted. Source: docs/behaviour.md, section 4.10. */

import type { Announced } from '../announce.js'
import { disableChannel, WHEN_ENABLED } from '../channels/disable-channel.js'
import { lockChannelRows } from '../channels/lock-channels.js'
import type { Db } from '../db.js'
import { announcedWrite, read } from '../method.js'
import type { ChannelNotice } from './channel-notices.js'
import { noteUndelivered } from './note-undelivered.js'
import { ERROR_LENGTH } from './settle/attempt.js'

export interface DeliveryStatus {
  notificationUuid: string
  error: string
  /** Not null: the channel is disabled, and the project's other channels are sent this notice. */
  disabled: ChannelNotice | null
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
  /** Whether the notification was created after the channel was last enabled, confirmed or given another destination. */
  isCurrent: boolean
}

/**
 * The channel of a notification created at `since` (ms) or later, or null. The service knows a digest by the notification of one
 * of its checks, which may have been deleted.
 */
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
      .where(eb => eb.or([eb('n.uuid', '=', uuid), eb('n.message_uuid', '=', uuid)]))
      .where('n.created_at', '>=', since)
      .limit(1)
      .executeTakeFirst()
    if (!row) return null
    const { settings, disabled, since: asItIsSince, at, ...channel } = row
    const isCurrent = asItIsSince === null || at > asItIsSince
    return { ...channel, settings: JSON.parse(settings), disabled: disabled === 1, isCurrent }
  },
)

/**
 * Records the error on the notification, or on one for each check of a digest, and that the message was not reported.
 * If the channel was not enabled, confirmed or given another destination since, the error is also the channel's;
 * otherwise what was not delivered is retried at once. Reports about unknown or old notifications are ignored.
 */
export const noteDeliveryStatus = announcedWrite(
  async (db: Db, status: DeliveryStatus): Promise<Announced> => {
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
    if (!notification) return { checks: false }
    const { channel_id: channelId, created_at: sentAt } = notification
    await lockChannelRows(db, [channelId], 'plans')
    const isCurrent = await db.sql
      .updateTable('channels')
      .set({ last_error: error })
      .where('id', '=', channelId)
      .where(eb => eb.or([eb('recipient_since', 'is', null), eb('recipient_since', '<', sentAt)]))
      .returning('id')
      .executeTakeFirst()
    const retryAt = isCurrent ? WHEN_ENABLED : status.now
    await noteUndelivered(db, {
      channelId,
      notificationUuid: status.notificationUuid,
      retryAt,
      now: status.now,
    })
    if (isCurrent && status.disabled) await disableChannel(db, channelId, status.disabled, status.now)
    return { alerts: !isCurrent || status.disabled !== null, checks: false }
  },
)
