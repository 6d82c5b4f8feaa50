import { appendTo } from '../../lib/append-to.js'
import { chunks } from '../chunks.js'
import { claimantsOf } from '../claims.js'
import type { Db } from '../db.js'
import { LOCK_WAIT, skippingLocked } from '../locks.js'
import { poll, write } from '../method.js'
import { type CountedMessage, keepIfUntried } from '../people/quotas/counted-messages.js'
import { noteCutOff, noteInterrupted, removeNotifications } from './notifications.js'

export interface RenewedClaims {
  renewed: number[]
  /** Those that the worker still has, but that another transaction has locked: they end when they would have ended. */
  locked: number[]
}

/**
 * Extends the claims of `worker` on the deliveries `ids` until `until`. Another process has claimed those that are neither
 * renewed nor locked. Claims that the worker no longer knows about, because the database failed in between, run out.
 */
export const renewClaims = write(
  async (
    db: Db,
    { worker, ids, until }: { worker: string; ids: readonly number[]; until: number },
  ): Promise<RenewedClaims> => {
    const claims: RenewedClaims = { renewed: [], locked: [] }
    for (const some of chunks(ids, db.dialect.maxParameters - 8)) {
      const own = db.sql.selectFrom('deliveries').select('id').where('claimed_by', '=', worker)
      const free = await skippingLocked(db, own.where('id', 'in', some)).execute()
      const renewed = new Set(free.map(({ id }) => id))
      claims.renewed.push(...renewed)
      const left = some.filter(id => !renewed.has(id))
      if (left.length > 0) {
        const locked = await own.where('id', 'in', left).execute()
        claims.locked.push(...locked.map(({ id }) => id))
      }
      await db.sql
        .updateTable('deliveries')
        .set({ claimed_until: until })
        .where('id', 'in', [...renewed])
        .execute()
    }
    return claims
  },
)

/**
 * Releases those of a message's deliveries that `worker` still has, after their lease may have run out: they are due.
 * If sending had begun it counts as an attempt, because it may have arrived; else there was no attempt. `counted`: if a monthly quota counted
 * the message. Fails if one is locked for long, see `isLocked` in errors.ts.
 */
export const giveBack = write(
  async (
    db: Db,
    {
      worker,
      attempts,
      counted,
      begun,
      now,
    }: {
      worker: string
      attempts: readonly { uuid: string; notificationUuid: string }[]
      counted?: CountedMessage
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
    if (begun && counted) await keepIfUntried.all(db, { charged: counted.charged })
  },
  LOCK_WAIT,
)

/** Changes nothing, and fails if deliveries are locked for long, see `isLocked` in errors.ts. */
export const probeLock = write(async (db: Db): Promise<void> => {
  await db.sql.updateTable('deliveries').set({ claimed_by: null }).where('id', 'is', null).execute()
}, LOCK_WAIT)

/** The names of the workers that hold claims. */
export const claimants = poll((db: Db) => claimantsOf(db, 'deliveries'))

/**
 * Releases what `workers` have claimed and not settled: it is due at `now`. It may have arrived,
 * so it counts as an attempt. What another transaction has locked is left, and its claim runs out.
 */
export const releaseClaims = write(async (db: Db, workers: readonly string[], now: number): Promise<void> => {
  if (workers.length === 0) return
  const claimed = db.sql.selectFrom('deliveries').select('id').where('claimed_by', 'in', workers)
  const released = await db.sql
    .updateTable('deliveries')
    .set(eb => ({ claimed_by: null, claimed_until: null, due_at: now, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', skippingLocked(db, claimed))
    .returning(['channel_id', 'check_id', 'uuid'])
    .execute()
  const byChannel = new Map<number, { uuid: string; checkId: number | null }[]>()
  for (const { channel_id, check_id, uuid } of released) {
    appendTo(byChannel, channel_id, { uuid, checkId: check_id })
  }
  for (const [channelId, deliveries] of byChannel) await noteInterrupted(db, channelId, deliveries)
})
