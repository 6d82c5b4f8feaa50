import type { Db } from './db.js'

/** What a service that carries messages says of one, after it took it. */
export interface DeliveryStatus {
  notificationUuid: string
  error: string
  /** Whether the channel is to be used no more. */
  disable: boolean
  now: number
}

/** How long after a notification such news of it is believed. */
const NEWS_WINDOW_MS = 3_600_000

const ERROR_LENGTH = 200

/** Notes the error on the notification and its channel. News of unknown or old notifications are ignored. */
export async function noteDeliveryStatus(db: Db, status: DeliveryStatus): Promise<void> {
  const error = status.error.slice(0, ERROR_LENGTH)
  const notification = await db.sql
    .updateTable('notifications')
    .set({ error })
    .where('uuid', '=', status.notificationUuid)
    .where('created_at', '>=', status.now - NEWS_WINDOW_MS)
    .returning('channel_id')
    .executeTakeFirst()
  if (!notification) return
  await db.sql
    .updateTable('channels')
    .set({ last_error: error, ...(status.disable ? { disabled: 1 as const } : {}) })
    .where('id', '=', notification.channel_id)
    .execute()
}
