import { failingFor, isUnreachable } from '../../core/alerts/delivery/unreachable.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import { type ChannelNotice, notifyOthers } from './channel-notices.js'
import type { WaitingChannel } from './waiting-channel.js'

/**
 * Records that another attempt through a channel failed; `channel` is its state before. If it becomes unreachable,
 * the project's other channels are sent `notice`. Returns whether it does.
 */
export async function noteFailing(
  db: Db,
  { id, failing, unreachableAt }: Pick<WaitingChannel, 'id' | 'failing' | 'unreachableAt'>,
  notice: ChannelNotice,
  now: number,
): Promise<boolean> {
  const failingMs = failingFor(failing, now)
  const isNews = unreachableAt === null && isUnreachable(failingMs)
  await db.sql
    .updateTable('channels')
    .set({ failing_ms: failingMs, ...(isNews ? { unreachable_at: now } : {}) })
    .where('id', '=', id)
    .execute()
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
