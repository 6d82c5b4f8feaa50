import { failingFor, failsForADay, unknownSince } from '../../core/alerts/delivery/unreachable.js'
import { followArrival } from '../channels/disable-channel.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import { type ChannelNotice, notifyOthers } from './channel-notices.js'
import type { WaitingChannel } from './waiting/waiting-channel.js'

/**
 * An attempt that failed: whether the receiver says that the recipient does not exist, whether it answered at all, and the
 * notice if nothing has arrived for a day now.
 */
interface Failed {
  unknownRecipient: boolean
  answered: boolean
  /** Whether it was the last one of an alert. */
  gaveUp: boolean
  /** When the message was sent (ms), if a report came later that it failed; absent: now. */
  sentAt?: number
  notice: ChannelNotice
}

/**
 * Records that another attempt through a channel failed; `channel` is its state before. If nothing has arrived for a day
 * now, the project's other channels are sent `notice`. Returns whether that is so. What waited for an unreachable channel is
 * tried when its receiver answers.
 */
export async function noteFailing(
  db: Db,
  channel: Pick<WaitingChannel, 'id' | 'failing' | 'unknownSince' | 'unreachableAt'>,
  { unknownRecipient, answered, gaveUp, sentAt, notice }: Failed,
  now: number,
): Promise<boolean> {
  const attemptedAt = sentAt ?? now
  const { id, failing, unreachableAt } = channel
  const failingMs = failingFor(failing, attemptedAt, gaveUp)
  const isUnreachable = !answered && failsForADay(failingMs)
  await db.sql
    .updateTable('channels')
    .set({
      failing_ms: failingMs,
      unknown_since: unknownRecipient ? unknownSince(channel, attemptedAt) : null,
      unreachable_at: isUnreachable ? (unreachableAt ?? now) : null,
      ...(isUnreachable ? {} : { probe_at: null }),
    })
    .where('id', '=', id)
    .execute()
  if (unreachableAt !== null && !isUnreachable) await followArrival.all(db, { channelId: id, now })
  const isNews = !failsForADay(failing.failingMs) && failsForADay(failingMs)
  if (isNews) await notifyOthers(db, id, notice, now)
  return isNews
}

/** Sets when an unreachable channel is tried next. */
export const nextProbe = prepared((sql, value: { channelId: number; probeAt: number }) =>
  sql
    .updateTable('channels')
    .set({ probe_at: value.probeAt })
    .where('id', '=', value.channelId)
    .where('unreachable_at', 'is not', null),
)
