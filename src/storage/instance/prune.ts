/** Prunes pings beyond the limit of the log. Source: docs/behaviour.md, section 3.2; flips are kept for 93 days. */

import { sql } from 'kysely'
import { forgetNotifications } from '../alerts/log/forget-notifications.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { gathered, gatheredWhere, isAmong } from '../gathered.js'
import { write } from '../method.js'
import { isLogMoving } from '../pings/log-before.js'
import { deletePings, pingsOf } from '../pings/removals.js'

const FLIP_RETENTION_MS = 93 * 86_400_000

/** The maximum number of pings that one call of `pruneNext` deletes, so that pings need not wait for the write. */
const SLICE = 1_000

/** The maximum number of checks per call: each takes a few queries even if nothing is deleted. */
const CHECKS_AT_ONCE = 50

/** The progress of a walk over all checks. */
export interface PruneProgress {
  /** Continue after this check; null when the walk is over. */
  after: number | null
  deleted: number
}

/**
 * One step of a walk over every check: prunes a slice of the checks after `after` that exceed the
 * log's limit. Start with 0.
 */
export const pruneNext = write(async (db: Db, after: number, now: number): Promise<PruneProgress> => {
  const checks = await db.sql
    .selectFrom('checks')
    .select(['id', 'n_pings as nPings'])
    .where('id', '>', after)
    .where('n_pings', '>', db.settings.pingLogLimit)
    .orderBy('id')
    .limit(CHECKS_AT_ONCE)
    .execute()
  let deleted = 0
  for (const check of checks) {
    deleted += await pruneCheck(db, check, now, SLICE - deleted)
    // The next step continues with this check.
    if (deleted >= SLICE) return { after: check.id - 1, deleted }
  }
  return { after: checks.length < CHECKS_AT_ONCE ? null : checks.at(-1)!.id, deleted }
})

/**
 * Deletes the pings of a check beyond the log's limit (at most `slice`) and history that is as old. Returns
 * the number of deleted pings.
 */
async function pruneCheck(
  db: Db,
  check: { id: number; nPings: number },
  now: number,
  slice: number,
): Promise<number> {
  const threshold = check.nPings - db.settings.pingLogLimit
  const first = await db.sql
    .selectFrom('pings')
    .select('n')
    .where('check_id', '=', check.id)
    .orderBy('n')
    .limit(1)
    .executeTakeFirst()
  if (!first || first.n > threshold) return 0
  const some = pingsOf(db, [check.id]).where('n', '<=', Math.min(threshold, first.n + slice - 1))
  const deleted = await deletePings(db, [check.id], some)
  await pruneHistory(db, [check.id], now)
  return deleted
}

/**
 * Deletes the pings of checks beyond the log's limit and history that is as old, in as many statements
 * for many checks as for one.
 */
export async function pruneChecks(db: Db, checkIds: readonly number[], now: number): Promise<void> {
  for (const some of chunks(checkIds, db.dialect.maxParameters - 1)) {
    const beyond = db.sql
      .selectFrom('checks as c')
      .innerJoin('pings as p', join =>
        join
          .onRef('p.check_id', '=', 'c.id')
          .on(eb => eb('p.n', '<=', eb('c.n_pings', '-', db.settings.pingLogLimit))),
      )
      .select('p.id')
      .where('c.id', 'in', some)
    await deletePings(db, some, beyond)
    await pruneHistory(db, some, now)
  }
}

/**
 * Forgets notifications older than the check's oldest stored ping, and deletes flips older than both that ping and 93 days.
 * Kept are flips that channels may still need: the last flip of a check, and those from the first one on that waits
 * for a channel or was reported to one.
 */
async function pruneHistory(db: Db, checkIds: readonly number[], now: number): Promise<void> {
  if (await isLogMoving(db)) return
  const { isDistributed } = db.dialect
  const oldestPingAt = (table: 'notifications' | 'flips' | 'passed_deadlines') =>
    db.sql
      .selectFrom('pings')
      .select('pings.created_at')
      .where('pings.check_id', '=', sql.ref<number>(`${table}.check_id`))
      // Said again, here and below, because otherwise every server is asked.
      .$if(isDistributed, query => query.where('pings.check_id', 'in', checkIds))
      .orderBy('pings.n')
      .limit(1)
  await forgetNotifications(
    db,
    gatheredWhere(db, () => ({ pings: oldestOf(checkIds) }))
      .selectFrom('notifications')
      .select('id')
      .where('check_id', 'in', checkIds)
      .where('created_at', '<', oldestPingAt('notifications')),
  )
  await db.sql
    .deleteFrom('passed_deadlines')
    .where('check_id', 'in', checkIds)
    .where('passed_at', '<', oldestPingAt('passed_deadlines'))
    .execute()
  const check = sql.ref<number>('flips.check_id')
  const last = db.sql
    .selectFrom('flips as other')
    .select(eb => eb.fn.max('other.id').as('id'))
    .where('other.check_id', '=', check)
    .$if(isDistributed, query => query.where('other.check_id', 'in', checkIds))
  const concerned = (table: 'reported' | 'deliveries') =>
    db.sql
      .selectFrom(table)
      .select(`${table}.flip_id`)
      .where(`${table}.check_id`, '=', check)
      .where(`${table}.flip_id`, '<=', sql.ref<number>('flips.id'))
  await gathered(db, ['deliveries', 'reported'], checkIds)
    .deleteFrom('flips')
    .where('check_id', 'in', checkIds)
    .where('created_at', '<', now - FLIP_RETENTION_MS)
    .where('created_at', '<', oldestPingAt('flips'))
    .where('id', '<', last)
    .where(({ not, exists }) => not(exists(concerned('deliveries'))))
    .where(({ not, exists }) => not(exists(concerned('reported'))))
    .execute()
}

/** A condition: the oldest stored pings of these checks. */
function oldestOf(checkIds: readonly number[]) {
  const among = isAmong(checkIds)
  return sql`check_id ${among} AND (check_id, n) IN (
    SELECT check_id, min(n) FROM pings WHERE check_id ${among} GROUP BY check_id
  )`
}
