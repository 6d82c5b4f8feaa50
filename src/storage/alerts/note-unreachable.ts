import { randomUUID } from 'node:crypto'
import type { Notice } from '../../core/alerts/alert.js'
import { TRY_FOR_MS } from '../../core/alerts/delivery/retry.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'

/**
 * Notes that nothing arrives through a channel, and tells the project's other channels, unless that was noted before or
 * something arrived within a day: then its receiver refuses some messages alone. Returns whether it is noted now.
 */
export async function noteUnreachable(
  db: Db,
  channelId: number,
  notice: Omit<Notice, 'now' | 'site'>,
  now: number,
): Promise<boolean> {
  const first = await db.sql
    .updateTable('channels')
    .set({ unreachable_at: now })
    .where('id', '=', channelId)
    .where('unreachable_at', 'is', null)
    .where(eb => eb.or([eb('arrived_at', 'is', null), eb('arrived_at', '<=', now - TRY_FOR_MS)]))
    .returning('id')
    .executeTakeFirst()
  if (first) await notifyOthers(db, channelId, notice, now)
  return first !== undefined
}

/** Adds a notice for each of the project's other enabled channels. */
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

/** Of a channel that nothing arrives through nothing else is tried before `probeAt`. */
export const nextProbe = prepared((sql, value: { channelId: number; probeAt: number }) =>
  sql
    .updateTable('channels')
    .set({ probe_at: value.probeAt })
    .where('id', '=', value.channelId)
    .where('unreachable_at', 'is not', null),
)
