/**
 * Token buckets that every process shares. A bucket starts full, each use takes 1/`capacity` of it, and it fills
 * within `periodMs`. One number holds it: the instant at which it is full again. Source: section 11.
 */
import type { Db } from './db.js'

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
export async function takeFromLimits(db: Db, limits: readonly RateLimit[], now: number): Promise<number> {
  const charged: { key: string; full_at: number }[] = []
  let wait = 0
  for (const { key, capacity, periodMs } of limits) {
    const row = await db.sql
      .selectFrom('rate_limits')
      .select('full_at')
      .where('key', '=', key)
      .executeTakeFirst()
    // A bucket from a clock that was set back is at most empty.
    const start = Math.min(Math.max(now, row?.full_at ?? now), now + periodMs)
    const fullAt = Math.ceil(start + periodMs / capacity)
    wait = Math.max(wait, fullAt - (now + periodMs) - 1)
    charged.push({ key, full_at: fullAt })
  }
  if (wait > 0) return wait
  for (const bucket of charged) {
    await db.sql
      .insertInto('rate_limits')
      .values(bucket)
      .onConflict(oc => oc.column('key').doUpdateSet({ full_at: bucket.full_at }))
      .execute()
  }
  return 0
}

/** Fills buckets again: what they counted turned out well. */
export async function resetLimits(db: Db, keys: readonly string[]): Promise<void> {
  await db.sql.deleteFrom('rate_limits').where('key', 'in', keys).execute()
}
