import type { Db } from '../db.js'
import { read } from '../method.js'

/** Counters of the whole instance. A flip is unprocessed while a delivery of it waits. */
export interface InstanceMetrics {
  maxPingId: number | null
  maxNotificationId: number | null
  unprocessedFlips: number
}

export const metrics = read(async (db: Db): Promise<InstanceMetrics> => {
  const newest = async (table: 'pings' | 'notifications') => {
    const row = await db.sql.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    return row?.id ?? null
  }
  const waiting = await db.sql
    .selectFrom('deliveries')
    .select(eb => eb.fn.count('flip_id').distinct().as('flips'))
    .executeTakeFirstOrThrow()
  return {
    maxPingId: await newest('pings'),
    maxNotificationId: await newest('notifications'),
    unprocessedFlips: Number(waiting.flips),
  }
})

/** Runs a trivial query, to see whether the database answers. */
export const probe = read(async (db: Db): Promise<void> => {
  await db.sql.selectNoFrom(eb => eb.lit(1).as('one')).execute()
})
