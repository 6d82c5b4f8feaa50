import { randomUUID } from 'node:crypto'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'

/** That something happened about a check, which a channel may have to hear of. */
export interface NewDelivery {
  checkId: number
  flipId: number
  channelId: number
  /** The group through which the channel is reached, or null. */
  groupId: number | null
}

const COLUMNS = 7

/** Adds deliveries that are due at once. */
export async function addDeliveries(db: Db, deliveries: readonly NewDelivery[], now: number): Promise<void> {
  for (const some of chunks(deliveries, Math.floor(db.dialect.maxParameters / COLUMNS))) {
    await db.sql
      .insertInto('deliveries')
      .values(
        some.map(({ checkId, flipId, channelId, groupId }) => ({
          uuid: randomUUID(),
          channel_id: channelId,
          check_id: checkId,
          flip_id: flipId,
          group_id: groupId,
          due_at: now,
          created_at: now,
        })),
      )
      .execute()
  }
}
