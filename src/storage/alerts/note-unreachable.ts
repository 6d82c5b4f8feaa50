import { randomUUID } from 'node:crypto'
import type { Notice } from '../../core/alerts/alert.js'
import { failingFor, isUnreachable } from '../../core/alerts/delivery/unreachable.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import type { WaitingChannel } from './waiting-channel.js'

/**
 * Records that another attempt through a channel failed; `channel` is its state before. If it becomes unreachable,
 * the project's other channels are sent `notice`. Returns whether it does.
 */
export async function noteFailing(
  db: Db,
  { id, failing, unreachableAt }: Pick<WaitingChannel, 'id' | 'failing' | 'unreachableAt'>,
  notice: Omit<Notice, 'now' | 'site'>,
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

/**
 * Adds a notice for each of the project's other enabled channels, which are locked so that none can be deleted at the
 * same time.
 */
export async function notifyOthers(
  db: Db,
  channelId: number,
  notice: Omit<Notice, 'now' | 'site'>,
  now: number,
): Promise<void> {
  const others = await db.sql
    .selectFrom('channels as broken')
    .innerJoin('channels as other', 'other.project_id', 'broken.project_id')
    .select('other.id')
    .where('broken.id', '=', channelId)
    .where('other.disabled', '=', 0)
    .whereRef('other.id', '!=', 'broken.id')
    .orderBy('other.id')
    .$if(db.dialect.hasConcurrentWrites, query => query.forKeyShare('other'))
    .execute()
  if (others.length === 0) return
  await db.sql
    .insertInto('deliveries')
    .values(
      others.map(other => ({
        uuid: randomUUID(),
        channel_id: other.id,
        notice: JSON.stringify(notice),
        due_at: now,
        created_at: now,
      })),
    )
    .execute()
}

/** Sets when an unreachable channel is tried next. */
export const nextProbe = prepared((sql, value: { channelId: number; probeAt: number }) =>
  sql
    .updateTable('channels')
    .set({ probe_at: value.probeAt })
    .where('id', '=', value.channelId)
    .where('unreachable_at', 'is not', null),
)
