import { randomUUID } from 'node:crypto'
import type { Db } from '../db.js'
import type { WaitingNotice } from './waiting.js'

/**
 * Announces once in an hour that its limit is reached: a notice to the channel itself. That down alerts are held too is
 * announced even if it was announced before that the rest is.
 */
export async function announceLimit(
  db: Db,
  channelId: number,
  limit: Omit<Extract<WaitingNotice, { type: 'limit' }>, 'type'>,
  now: number,
): Promise<void> {
  const announced = limit.holds === 'all' ? 'down_announced' : 'other_announced'
  const first = await db.sql
    .updateTable('channels')
    .set(eb => ({
      other_announced: eb.ref('hour_from'),
      ...(limit.holds === 'all' ? { down_announced: eb.ref('hour_from') } : {}),
    }))
    .where('id', '=', channelId)
    .where(eb => eb.or([eb(announced, 'is', null), eb(announced, '!=', eb.ref('hour_from'))]))
    .returning('id')
    .executeTakeFirst()
  if (!first) return
  const notice: WaitingNotice = { type: 'limit', ...limit }
  await db.sql
    .insertInto('deliveries')
    .values({
      uuid: randomUUID(),
      channel_id: channelId,
      notice: JSON.stringify(notice),
      due_at: now,
      created_at: now,
    })
    .execute()
}
