import { randomUUID } from 'node:crypto'
import type { Db } from '../db.js'

/**
 * Called when the messages of a channel go to another destination. What was reported to the old one is deleted, and
 * so are the closings of its incidents. Deliveries being sent to the old one also wait for the new one, with a new
 * UUID, so that the result of the attempt does not count.
 */
export async function forgetDestination(db: Db, channelId: number, now: number): Promise<void> {
  await db.sql.deleteFrom('reported').where('channel_id', '=', channelId).execute()
  await db.sql.deleteFrom('flapping').where('channel_id', '=', channelId).execute()
  await db.sql
    .deleteFrom('deliveries')
    .where('channel_id', '=', channelId)
    .where('closing', 'is not', null)
    .execute()
  const sending = await db.sql
    .selectFrom('deliveries')
    .select('id')
    .where('channel_id', '=', channelId)
    .where('claimed_by', 'is not', null)
    .where('check_id', 'is not', null)
    .execute()
  for (const { id } of sending) {
    await db.sql
      .updateTable('deliveries')
      .set({ uuid: randomUUID(), claimed_by: null, claimed_until: null, due_at: now })
      .where('id', '=', id)
      .execute()
  }
}
