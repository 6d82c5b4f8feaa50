/** Forgetting what is older than the log's limit. Source: section 3.2 of the behaviour; flips are kept 93 days. */
import type { Db } from './db.js'

const FLIP_RETENTION_MS = 93 * 86_400_000

/** The most pings that one call of `pruneNext` deletes, so that no write keeps the pings waiting. */
const SLICE = 2_000

/** How far a walk over all checks has come. */
export interface PruneProgress {
  /** Continue after this check; null when the walk is over. */
  after: number | null
  deleted: number
}

/**
 * One step of a walk over every check: prunes a slice of the first check after `after` that holds more than the
 * log's limit. Start with 0.
 */
export async function pruneNext(db: Db, after: number, now: number): Promise<PruneProgress> {
  const check = await db.sql
    .selectFrom('checks')
    .select(['id', 'n_pings as nPings'])
    .where('id', '>', after)
    .where('n_pings', '>', db.settings.pingLogLimit)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!check) return { after: null, deleted: 0 }
  const deleted = await pruneCheck(db, check, now, SLICE)
  return { after: deleted === 0 ? check.id : after, deleted }
}

/**
 * Deletes the pings of a check beyond the log's limit (at most `slice` of them), then the notifications older
 * than the oldest ping kept, and the flips older than both that ping and 93 days, but never a flip that is
 * still to be told. Returns how many pings were deleted.
 */
export async function pruneCheck(
  db: Db,
  check: { id: number; nPings: number },
  now: number,
  slice = Number.POSITIVE_INFINITY,
): Promise<number> {
  const threshold = check.nPings - db.settings.pingLogLimit
  const first = await oldestPing(db, check.id)
  if (!first || first.n > threshold) return 0
  const deleted = await db.sql
    .deleteFrom('pings')
    .where('check_id', '=', check.id)
    .where('n', '<=', Math.min(threshold, first.n + slice - 1))
    .executeTakeFirst()
  const oldest = await oldestPing(db, check.id)
  if (oldest) await pruneHistory(db, check.id, oldest.created_at, now)
  return Number(deleted.numDeletedRows)
}

async function pruneHistory(db: Db, checkId: number, oldestPingAt: number, now: number): Promise<void> {
  await db.sql
    .deleteFrom('notifications')
    .where('check_id', '=', checkId)
    .where('created_at', '<', oldestPingAt)
    .execute()
  const untold = db.sql
    .selectFrom('deliveries')
    .select('flip_id')
    .where('check_id', '=', checkId)
    .where('flip_id', 'is not', null)
  await db.sql
    .deleteFrom('flips')
    .where('check_id', '=', checkId)
    .where('created_at', '<', Math.min(oldestPingAt, now - FLIP_RETENTION_MS))
    .where('id', 'not in', untold)
    .execute()
}

async function oldestPing(db: Db, checkId: number) {
  return await db.sql
    .selectFrom('pings')
    .select(['n', 'created_at'])
    .where('check_id', '=', checkId)
    .orderBy('n')
    .limit(1)
    .executeTakeFirst()
}
