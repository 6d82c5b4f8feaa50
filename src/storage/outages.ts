import { type Hold, holdAt, joined, type Missed, type Outage, outageOverAt } from '../core/outage.js'
import { CLOCK_SET_BACK_MS } from '../core/ping.js'
import type { Db } from './db.js'
import { mendSetBack } from './mend-set-back.js'
import { prepared } from './prepared.js'

/**
 * Notes that `process` takes pings at `now`, and the outage that is over now: when nobody has taken any for too
 * long, or `missed` says that commits failed. Returns that outage, or null.
 */
export async function beat(
  db: Db,
  process: string,
  now: number,
  missed: Missed | null = null,
): Promise<Outage | null> {
  const over = async () => outageOverAt(now, await lastBeat(db), missed, db.settings.outageHoldMs)
  const aheadMs = async () => ((await lastBeat(db)) ?? 0) - now
  const isSetBack = (await aheadMs()) > CLOCK_SET_BACK_MS
  let outage = await over()
  if (outage || isSetBack) {
    // Of several processes that see it together one acts on it; the others wait, and then see its beat.
    await lockOutages(db)
    const byMs = await aheadMs()
    if (byMs > CLOCK_SET_BACK_MS) {
      // Every check is written.
      db.takeTime?.()
      await mendSetBack(db, now, byMs)
    }
    outage = await over()
  }
  if (outage) await addOutage(db, outage)
  // Beats of processes long gone say nothing; beats ahead of now were stamped by a clock since set right.
  await db.sql
    .deleteFrom('beats')
    .where(eb => eb.or([eb('beat_at', '<', now - 3_600_000), eb('beat_at', '>', now)]))
    .execute()
  await db.sql
    .insertInto('beats')
    .values({ process, beat_at: now })
    .onConflict(oc => oc.column('process').doUpdateSet({ beat_at: now }))
    .execute()
  return outage
}

/** Holds the list of outages until the transaction ends. */
async function lockOutages(db: Db): Promise<void> {
  await db.sql
    .insertInto('meta')
    .values({ key: 'outages', value: '' })
    .onConflict(oc => oc.column('key').doUpdateSet({ value: '' }))
    .execute()
}

/** Records an outage; what is known already of the same time becomes part of it. */
async function addOutage(db: Db, outage: Outage): Promise<void> {
  const overlapping = await db.sql
    .deleteFrom('outages')
    .where('started_at', '<', outage.endedAt)
    .where('ended_at', '>', outage.startedAt)
    .returning(['started_at as startedAt', 'ended_at as endedAt', 'hold_until as holdUntil'])
    .execute()
  const { startedAt, endedAt, holdUntil } = joined([outage, ...overlapping])
  await db.sql
    .insertInto('outages')
    .values({ started_at: startedAt, ended_at: endedAt, hold_until: holdUntil })
    .execute()
}

/** The hold in force at `now`, or null. See core/outage.ts. */
export async function currentHold(db: Db, now: number): Promise<Hold | null> {
  // In this order: an outage is written with the beat that ends it, so whoever sees that beat sees the outage too.
  const beatAt = await lastBeat(db)
  return holdAt(await outagesSince(db, now), now, beatAt)
}

/** The outages whose hold ended at `since` or later, oldest first. */
export async function outagesSince(db: Db, since: number): Promise<Outage[]> {
  // A hold that ended less than a day ago may still be linked to the one in force.
  return await heldSince.all(db, { since: since - 86_400_000 })
}

const heldSince = prepared((sql, value: { since: number }) =>
  sql
    .selectFrom('outages')
    .select(['started_at as startedAt', 'ended_at as endedAt', 'hold_until as holdUntil'])
    .where('hold_until', '>=', value.since)
    .orderBy('started_at'),
)

/** When some process last took pings (ms), or null. */
export async function lastBeat(db: Db): Promise<number | null> {
  const [row] = await newestBeat.all(db, {})
  return row?.at ?? null
}

const newestBeat = prepared(sql =>
  sql.selectFrom('beats').select(eb => eb.fn.max<number | null>('beat_at').as('at')),
)
