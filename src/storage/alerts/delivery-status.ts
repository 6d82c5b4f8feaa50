/** A report by a service about a message that it had accepted. Source: docs/behaviour.md, section 4.10. */

import { type SqlBool, sql } from 'kysely'
import { disableChannel } from '../channels/disable-channel.js'
import type { Db } from '../db.js'
import { announcedWrite, read } from '../method.js'
import type { ChannelNotice } from './channel-notices.js'
import { noteUndelivered } from './note-undelivered.js'
import { isUnsettled } from './notifications.js'
import { ERROR_LENGTH } from './settle/attempt.js'
import { type Bounce, type NotedStatus, noteBounced } from './settle/bounced.js'
import { lockChannel } from './waiting/waiting-channel.js'

export interface DeliveryStatus {
  notificationUuid: string
  error: string
  /** Not null: the channel is disabled, and the project's other channels are sent this notice. */
  disabled: ChannelNotice | null
  /** Set if an e-mail bounced: it failed as if it had been refused. */
  bounce?: Bounce
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

const UNKNOWN: NotedStatus = { checks: false, outcome: null, unreachable: false }

/**
 * Records the error on the notification, or on one for each check of a digest, and that the message was not reported.
 * If the channel was not enabled, confirmed or given another destination since, the error is also the channel's;
 * otherwise what was not delivered is retried at once. Reports about unknown or old notifications are ignored.
 */
export const noteDeliveryStatus = announcedWrite(
  async (db: Db, status: DeliveryStatus): Promise<NotedStatus> => {
    const error = status.error.slice(0, ERROR_LENGTH)
    const sent = await lockNotification(db, status)
    if (!sent) return UNKNOWN
    await db.sql.updateTable('notifications').set({ error }).where(isOf(status)).execute()
    const channel = await lockChannel(db, sent.channelId)
    const isCurrent = await db.sql
      .updateTable('channels')
      .set({ last_error: error })
      .where('id', '=', sent.channelId)
      .where(eb => eb.or([eb('recipient_since', 'is', null), eb('recipient_since', '<', sent.createdAt)]))
      .returning('id')
      .executeTakeFirst()
    if (status.bounce && channel && isCurrent && !channel.disabled) {
      // The same bounce may be reported twice.
      if (!isUnsettled(sent.error)) return UNKNOWN
      return await noteBounced(db, channel, { ...status, sentAt: sent.createdAt }, status.bounce)
    }
    const { notificationUuid, disabled, now } = status
    const again = isCurrent ? 'when-changed' : 'at-once'
    await noteUndelivered(db, { channelId: sent.channelId, notificationUuid, again, now })
    const disables = isCurrent !== undefined && disabled !== null
    if (disables) await disableChannel(db, sent.channelId, disabled, now)
    return {
      alerts: !isCurrent || disables,
      checks: false,
      outcome: disables ? 'disable' : isCurrent ? 'noted' : 'retry',
      unreachable: false,
    }
  },
)

/** One of the notifications that a report is about, which are locked. */
async function lockNotification(db: Db, status: DeliveryStatus) {
  const [first] = await db.sql
    .selectFrom('notifications')
    .select(['channel_id as channelId', 'created_at as createdAt', 'error'])
    .where(isOf(status))
    .where('created_at', '>=', status.since)
    .orderBy('id')
    .$if(db.dialect.hasConcurrentWrites, query => query.forNoKeyUpdate())
    .execute()
  return first
}

/** A condition on `notifications`: the service knows the message by this one. */
function isOf({ notificationUuid: uuid }: Pick<DeliveryStatus, 'notificationUuid'>) {
  return sql<SqlBool>`(uuid = ${uuid} OR message_uuid = ${uuid})`
}
