import { randomUUID } from 'node:crypto'
import type { Db } from '../db.js'
import type { WaitingNotice } from './waiting/waiting-row.js'

/**
 * Ends of the hour less than this (ms) apart belong to the same hour, because its end moves until the messages in
 * progress have arrived.
 */
const ANOTHER_HOUR_MS = 1_800_000

/**
 * Sends a channel a notice, once an hour, that its hourly limit is reached. If down alerts are held too, that is
 * announced even if the hold of other messages already was.
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
