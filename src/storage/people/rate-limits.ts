/**
 * Token buckets that all processes share. A bucket starts full, each use takes 1/`capacity` of it, and it fills
 * within `periodMs`. It is stored as one number: the instant at which it is full again. Source:
 * docs/behaviour.md, section 11.
 */

import type { Db } from '../db.js'
import { write } from '../method.js'

/** A rate limit: the key of its bucket and how often it allows something. */
export interface RateLimit {
  key: string
  capacity: number
  periodMs: number
}

/**
 * Takes one use from every bucket, or from none if one of them is empty. Returns how long (ms) until it
 * would be granted; 0 if it was.
 */
export const takeFromLimits = write(
  async (db: Db, limits: readonly RateLimit[], now: number): Promise<number> => {
    const charged: { key: string; full_at: number }[] = []
    let wait = 0
    for (const { key, capacity, periodMs } of limits.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      // If the clock was set back, the bucket counts as empty at most until that is repaired.
      const start = Math.min(Math.max(now, await lockBucket(db, key, now)), now + periodMs)
      const fullAt = Math.ceil(start + periodMs / capacity)
      wait = Math.max(wait, fullAt - (now + periodMs) - 1)
      charged.push({ key, full_at: fullAt })
    }
    if (wait > 0) return wait
    for (const { key, full_at } of charged) {
      await db.sql.updateTable('rate_limits').set({ full_at }).where('key', '=', key).execute()
    }
    return 0
  },
)

/**
 * The number of uses that a bucket grants now, and until when (ms) it grants no more after those. The bucket is
 * locked until the transaction ends. Without a limit, the number is infinite.
 */
export async function usesLeft(
  db: Db,
  limit: RateLimit | null,
  now: number,
): Promise<{ messages: number; until: number }> {
  if (!limit) return { messages: Number.POSITIVE_INFINITY, until: now }
  const { key, capacity, periodMs } = limit
  const each = periodMs / capacity
  let fullAt = Math.min(Math.max(now, await lockBucket(db, key, now)), now + periodMs)
  const wait = () => Math.ceil(fullAt + each) - (now + periodMs) - 1
  let messages = 0
  for (; wait() <= 0; messages++) fullAt = Math.ceil(fullAt + each)
  return { messages, until: now + wait() }
}

/** When a bucket is full again. It is locked until the transaction ends, so that concurrent uses are all counted. */
async function lockBucket(db: Db, key: string, now: number): Promise<number> {
  const row = await db.sql
    .insertInto('rate_limits')
    .values({ key, full_at: now })
    .onConflict(oc => oc.column('key').doUpdateSet(eb => ({ full_at: eb.ref('rate_limits.full_at') })))
    .returning('full_at')
    .executeTakeFirstOrThrow()
  return row.full_at
}

/** Returns one use to each bucket, because it should not count. */
export const giveBackToLimits = write(async (db: Db, limits: readonly RateLimit[]): Promise<void> => {
  for (const { key, capacity, periodMs } of limits) {
    await db.sql
      .updateTable('rate_limits')
      .set(eb => ({ full_at: eb('full_at', '-', Math.ceil(periodMs / capacity)) }))
      .where('key', '=', key)
      .execute()
  }
})

/** Refills buckets after a success. */
export const resetLimits = write(async (db: Db, keys: readonly string[]): Promise<void> => {
  await db.sql.deleteFrom('rate_limits').where('key', 'in', keys).execute()
})
