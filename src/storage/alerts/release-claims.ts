import { appendTo } from '../../lib/append-to.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { poll, write } from '../method.js'
import { noteCutOff, noteInterrupted, removeNotifications } from './notifications.js'

/**
 * Extends the claims of `worker` on the deliveries `ids` until `until`, and returns those that it still has. Claims
 * that it no longer knows about, because the database failed in between, run out.
 */
export const renewClaims = write(
  async (
    db: Db,
    { worker, ids, until }: { worker: string; ids: readonly number[]; until: number },
  ): Promise<number[]> => {
    const kept: number[] = []
    for (const some of chunks(ids, db.dialect.maxParameters - 8)) {
      const rows = await db.sql
        .updateTable('deliveries')
        .set({ claimed_until: until })
        .where('claimed_by', '=', worker)
        .where('id', 'in', some)
        .returning('id')
        .execute()
      kept.push(...rows.map(({ id }) => id))
    }
    return kept
  },
)

/**
 * Releases those of a message's deliveries that `worker` still has, after their lease may have run out: they are due.
 * If sending had begun it counts as an attempt, because it may have arrived; else there was no attempt.
 */
export const giveBack = write(
  async (
    db: Db,
    {
      worker,
      attempts,
      begun,
      now,
    }: {
      worker: string
      attempts: readonly { uuid: string; notificationUuid: string }[]
      begun: boolean
      now: number
    },
  ): Promise<void> => {
    const notifications = attempts.map(({ notificationUuid }) => ({ uuid: notificationUuid }))
    if (begun) await noteCutOff(db, {}, notifications)
    else await removeNotifications(db, {}, notifications)
    for (const some of chunks(attempts, db.dialect.maxParameters - 4)) {
      await db.sql
        .updateTable('deliveries')
        .set(eb => ({
          claimed_by: null,
          claimed_until: null,
          due_at: now,
          attempts: eb('attempts', '+', begun ? 1 : 0),
        }))
        .where(
          'uuid',
          'in',
          some.map(({ uuid }) => uuid),
        )
        .where('claimed_by', '=', worker)
        .execute()
    }
  },
)

/** The names of the workers that hold claims. */
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
 * Releases what `workers` have claimed and not settled: it is due at `now`. It may have arrived,
 * so it counts as an attempt.
 */
export const releaseClaims = write(async (db: Db, workers: readonly string[], now: number): Promise<void> => {
  if (workers.length === 0) return
  const released = await db.sql
    .updateTable('deliveries')
    .set(eb => ({ claimed_by: null, claimed_until: null, due_at: now, attempts: eb('attempts', '+', 1) }))
    .where('claimed_by', 'in', workers)
    .returning(['channel_id', 'check_id', 'uuid'])
    .execute()
  const byChannel = new Map<number, { uuid: string; checkId: number | null }[]>()
  for (const { channel_id, check_id, uuid } of released) {
    appendTo(byChannel, channel_id, { uuid, checkId: check_id })
  }
  for (const [channelId, deliveries] of byChannel) await noteInterrupted(db, channelId, deliveries)
})
