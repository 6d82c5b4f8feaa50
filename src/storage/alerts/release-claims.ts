import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { poll, write } from '../method.js'
import { noteInterrupted } from './notifications.js'

/**
 * Keeps those of `ids` that `worker` has claimed its own until `until`. What it has claimed and is not at any more, since
 * the database failed in between, is left to run out.
 */
export const renewClaims = write(
  async (
    db: Db,
    { worker, ids, until }: { worker: string; ids: readonly number[]; until: number },
  ): Promise<void> => {
    for (const some of chunks(ids, db.dialect.maxParameters - 8)) {
      await db.sql
        .updateTable('deliveries')
        .set({ claimed_until: until })
        .where('claimed_by', '=', worker)
        .where('id', 'in', some)
        .execute()
    }
  },
)

/** The workers that hold claims. */
export const claimants = poll(async (db: Db): Promise<string[]> => {
  const rows = await db.sql
    .selectFrom('deliveries')
    .select('claimed_by')
    .distinct()
    .where('claimed_by', 'is not', null)
    .execute()
  return rows.map(row => row.claimed_by!)
})

/**
 * Gives back what `workers` have claimed and not settled: it is due at `now`. Whether it arrived is not known, so it counts
 * as an attempt.
 */
export const releaseClaims = write(async (db: Db, workers: readonly string[], now: number): Promise<void> => {
  if (workers.length === 0) return
  const released = await db.sql
    .updateTable('deliveries')
    .set(eb => ({ claimed_by: null, claimed_until: null, due_at: now, attempts: eb('attempts', '+', 1) }))
    .where('claimed_by', 'in', workers)
    .returning(['channel_id', 'uuid'])
    .execute()
  for (const some of chunks(released, 256)) {
    for (const channelId of new Set(some.map(row => row.channel_id))) {
      const ofChannel = some.filter(row => row.channel_id === channelId)
      await noteInterrupted(
        db,
        channelId,
        ofChannel.map(({ uuid }) => uuid),
      )
    }
  }
})
