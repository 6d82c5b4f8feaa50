/** E-mails that a mail server accepted and then returned. Decision 0159. */
import { isGone, unknownSince } from '../../../core/alerts/delivery/unreachable.js'
import type { Announced } from '../../announce.js'
import { hasArrived } from '../../channels/bounced-channel.js'
import { disableChannel } from '../../channels/disable-channel.js'
import type { Db } from '../../db.js'
import type { ChannelNotice } from '../channel-notices.js'
import { noteUndelivered } from '../note-undelivered.js'
import { noteFailing } from '../note-unreachable.js'
import type { WaitingChannel } from '../waiting/waiting-channel.js'

/** What a bounce says, with the notices to the project's other channels. */
export interface Bounce {
  /** Whether the recipient does not exist. */
  unknownRecipient: boolean
  /** Sent if the channel is disabled now. */
  disabled: ChannelNotice
  /** Sent if nothing has arrived for a day now. */
  unreachable: ChannelNotice
}

/** What a report led to; `outcome` is null if it is about an unknown or old notification, or one whose failure was known. */
export interface NotedStatus extends Announced {
  outcome: 'disable' | 'retry' | 'noted' | null
  /** Whether nothing has arrived through the channel for a day now. */
  unreachable: boolean
}

/** The notification of a message that bounced, and when it was created (ms). */
interface Bounced {
  notificationUuid: string
  sentAt: number
  now: number
}

/**
 * Records that a message through the channel bounced. It is sent again as one that was refused, and like that the channel is
 * disabled if all that was sent for an hour was returned because the recipient does not exist. Other failures count as well: what was
 * accepted ends the hour and the day of a channel only if it has not bounced within half an hour. A bounce counts from when its message
 * was sent: those of old messages say nothing about what was sent since.
 */
export async function noteBounced(
  db: Db,
  channel: WaitingChannel,
  { notificationUuid, sentAt, now }: Bounced,
  { unknownRecipient, disabled, unreachable }: Bounce,
): Promise<NotedStatus> {
  const { id: channelId } = channel
  const since = channel.bounced.at ?? sentAt
  const before = (await hasArrived(db, { channelId, since, now })) ? afterArrival(channel) : channel
  const failing = {
    failingMs: Math.max(channel.failing.failingMs, before.bounced.ms),
    lastFailureAt: before.bounced.at,
  }
  const failed = { ...before, failing }
  const disables = unknownRecipient && isGone(unknownSince(failed, sentAt), sentAt)
  const again = disables ? 'when-changed' : 'after-pause'
  await noteUndelivered(db, { channelId, notificationUuid, again, now })
  if (disables) {
    await disableChannel(db, channelId, disabled, now)
    return { alerts: true, checks: false, outcome: 'disable', unreachable: false }
  }
  const outcome = { unknownRecipient, answered: true, gaveUp: false, sentAt, notice: unreachable }
  const isNews = await noteFailing(db, failed, outcome, now)
  await db.sql
    .updateTable('channels')
    .set(eb => ({
      bounced_at: Math.max(before.bounced.at ?? sentAt, sentAt),
      bounced_ms: eb.ref('failing_ms'),
    }))
    .where('id', '=', channelId)
    .execute()
  return { alerts: true, checks: false, outcome: 'retry', unreachable: isNews }
}

function afterArrival(channel: WaitingChannel): WaitingChannel {
  return { ...channel, unknownSince: null, bounced: { at: null, ms: 0 } }
}
