import { randomUUID } from 'node:crypto'
import type { Notice } from '../core/alert.js'
import type { Db } from './db.js'

/**
 * Disables a channel, forgets what it still had to tell, and tells the project's other channels of it through
 * `notice`.
 */
export async function disableChannel(
  db: Db,
  channelId: number,
  notice: Omit<Notice, 'now' | 'site'>,
  now: number,
): Promise<void> {
  await db.sql.updateTable('channels').set({ disabled: 1 }).where('id', '=', channelId).execute()
  await db.sql.deleteFrom('deliveries').where('channel_id', '=', channelId).execute()
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
