import { randomUUID } from 'node:crypto'
import type { Notice } from '../core/alert.js'
import type { Db } from './db.js'

/** Notes that nothing arrives through a channel, and tells the project's other channels, unless that was noted before. */
export async function noteUnreachable(
  db: Db,
  channelId: number,
  notice: Omit<Notice, 'now' | 'site'>,
  now: number,
): Promise<void> {
  const first = await db.sql
    .updateTable('channels')
    .set({ unreachable_at: now })
    .where('id', '=', channelId)
    .where('unreachable_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (first) await notifyOthers(db, channelId, notice, now)
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
