import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { WHEN_ENABLED } from '../channels/disable-channel.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'

/**
 * Records that the down alerts of a message did not reach the channel; the message is identified by the
 * notification that the service knows. Waiting deliveries about their checks will say so. If there are none, one
 * waits until the channel is enabled or changed, or until the check changes: sending it again at once would only
 * fail again, and may cost money.
 */
export async function noteUndelivered(
  db: Db,
  channelId: number,
  notificationUuid: string,
  now: number,
): Promise<void> {
  const { rows: unlearned } = await sql<{ check_id: number; flip_id: number }>`
    DELETE FROM reported WHERE channel_id = ${channelId} AND EXISTS (
      SELECT 1 FROM notifications n
      WHERE (n.uuid = ${notificationUuid} OR n.message_uuid = ${notificationUuid})
        AND n.check_id = reported.check_id AND n.flip_id = reported.flip_id
    )
    RETURNING check_id, flip_id`.execute(db.sql)
  for (const some of chunks(unlearned, 200)) {
    const waiting = await db.sql
      .updateTable('deliveries')
      .set({ missed: 1 })
      .where('channel_id', '=', channelId)
      .where(
        'check_id',
        'in',
        some.map(row => row.check_id),
      )
      .returning('check_id')
      .execute()
    const about = new Set(waiting.map(row => row.check_id))
    const alone = some.filter(row => !about.has(row.check_id))
    if (alone.length === 0) continue
    await db.sql
      .insertInto('deliveries')
      .values(
        alone.map(({ check_id, flip_id }) => ({
          uuid: randomUUID(),
          channel_id: channelId,
          check_id,
          flip_id,
          missed: 1 as const,
          due_at: WHEN_ENABLED,
          created_at: now,
        })),
      )
      .execute()
  }
}
