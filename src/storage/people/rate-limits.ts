/**
 * Token buckets that every process shares. A bucket starts full, each use takes 1/`capacity` of it, and it fills
 * within `periodMs`. One number holds it: the instant at which it is full again.
 * Source: docs/behaviour.md, section 11.
 */

import type { Db } from '../db.js'
import { write } from '../method.js'

/** How often something may be done, and what counts as the same thing. */
export interface RateLimit {
  key: string
  capacity: number
  periodMs: number
}

/**
 * Takes one use from every bucket, or from none when one of them is empty. Returns how long (ms) until it would
 * be granted; 0 when it was.
 */
export const takeFromLimits = write(
  async (db: Db, limits: readonly RateLimit[], now: number): Promise<number> => {
    const charged: { key: string; full_at: number }[] = []
    let wait = 0
    for (const { key, capacity, periodMs } of limits.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      // A bucket from a clock that was set back is at most empty.
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
 * How many uses a bucket grants now, and until when (ms) none after those. It is held until the transaction ends. Without
 * a limit any number.
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

/** When a bucket is full again. It is held until the transaction ends, so that uses at once are all counted. */
async function lockBucket(db: Db, key: string, now: number): Promise<number> {
  const row = await db.sql
    .insertInto('rate_limits')
    .values({ key, full_at: now })
    .onConflict(oc => oc.column('key').doUpdateSet(eb => ({ full_at: eb.ref('rate_limits.full_at') })))
    .returning('full_at')
    .executeTakeFirstOrThrow()
  return row.full_at
}

/** Puts one use back into each bucket: it turned out to be none that counts. */
export const giveBackToLimits = write(async (db: Db, limits: readonly RateLimit[]): Promise<void> => {
  for (const { key, capacity, periodMs } of limits) {
    await db.sql
      .updateTable('rate_limits')
      .set(eb => ({ full_at: eb('full_at', '-', Math.ceil(periodMs / capacity)) }))
      .where('key', '=', key)
      .execute()
  }
})

/** Fills buckets again: what they counted turned out well. */
export const resetLimits = write(async (db: Db, keys: readonly string[]): Promise<void> => {
  await db.sql.deleteFrom('rate_limits').where('key', 'in', keys).execute()
})
