import { randomUUID } from 'node:crypto'
import type { Db } from '../db.js'
import type { WaitingNotice } from './waiting.js'

/** The ends of two hours lie further apart than this; that of one moves until what is on its way has arrived. */
const ANOTHER_HOUR_MS = 1_800_000

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
  const { until } = limit
  const first = await db.sql
    .updateTable('channels')
    .set({ other_announced: until, ...(limit.holds === 'all' ? { down_announced: until } : {}) })
    .where('id', '=', channelId)
    .where(eb => eb.or([eb(announced, 'is', null), eb(announced, '<', until - ANOTHER_HOUR_MS)]))
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
