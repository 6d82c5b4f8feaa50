/** Punctual's own absences as they are on record, and what is held because of them. */
import {
  type Beat,
  type Hold,
  heardBy,
  holdAt,
  joined,
  type Outage,
  troubleSince,
} from '../../core/instance/outage.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'

/** The columns of an outage. */
export const COLUMNS = [
  'started_at as startedAt',
  'ended_at as endedAt',
  'hold_until as holdUntil',
  'partial',
] as const

/** The outage that a row is. */
export const toOutage = (row: Omit<Outage, 'partial'> & { partial: number }): Outage => ({
  ...row,
  partial: row.partial === 1,
})

/** Pages look back 94 days, reports and messages less far: older outages are deleted as newer ones come. */
const RETENTION_MS = 100 * 86_400_000

/** Records an outage; what is known already of the same time becomes part of it. */
export async function addOutage(db: Db, outage: Outage): Promise<void> {
  await db.sql
    .deleteFrom('outages')
    .where('hold_until', '<', outage.startedAt - RETENTION_MS)
    .execute()
  const overlapping = await db.sql
    .deleteFrom('outages')
    .where('started_at', '<', outage.endedAt)
    .where('ended_at', '>', outage.startedAt)
    .where('partial', '=', outage.partial ? 1 : 0)
    .returning(COLUMNS)
    .execute()
  const { startedAt, endedAt, holdUntil, partial } = joined([outage, ...overlapping.map(toOutage)])
  await db.sql
    .insertInto('outages')
    .values({ started_at: startedAt, ended_at: endedAt, hold_until: holdUntil, partial: partial ? 1 : 0 })
    .execute()
}

/** The hold in force at `now`, or null. See core/instance/outage.ts. */
export async function currentHold(db: Db, now: number): Promise<Hold | null> {
  // In this order: an outage is written with the beat that ends it, so whoever sees that beat sees the outage too.
  const trouble = troubleSince(await allBeats(db), now)
  return holdAt(await outagesSince(db, now), now, db.settings.outageHoldMs, trouble)
}

/**
 * The instant (ms), `now` at the latest, before which every ping is on disk that reached any process, and the hold that
 * is in force then. `own`: what the process that asks knows of itself, which is newer than its beat.
 */
export async function heardAndHold(
  db: Db,
  now: number,
  own: { process: string; heardUntil: number } | null,
): Promise<{ heardUntil: number; hold: Hold | null }> {
  // In this order, as above.
  const beats = (await allBeats(db)).filter(beat => beat.process !== own?.process)
  if (own) beats.push({ process: own.process, beatAt: now, heardAt: own.heardUntil, stopped: false })
  const { outageHoldMs } = db.settings
  const heardUntil = heardBy(beats, now, outageHoldMs)
  return { heardUntil, hold: holdAt(await outagesSince(db, heardUntil), heardUntil, outageHoldMs) }
}

/** The outages whose hold ended at `since` or later, oldest first. */
export async function outagesSince(db: Db, since: number): Promise<Outage[]> {
  // A hold that ended less than a day ago may still be linked to the one in force.
  return (await heldSince.all(db, { since: since - 86_400_000 })).map(toOutage)
}

const heldSince = prepared((sql, value: { since: number }) =>
  sql.selectFrom('outages').select(COLUMNS).where('hold_until', '>=', value.since).orderBy('started_at'),
)

const beatRows = prepared(sql =>
  sql.selectFrom('beats').select(['process', 'beat_at as beatAt', 'heard_at as heardAt', 'stopped']),
)

/** What the processes that take pings have last said. */
export async function allBeats(db: Db): Promise<Beat[]> {
  return (await beatRows.all(db, {})).map(row => ({
    ...row,
    // A process of the version before says nothing of it.
    heardAt: row.heardAt || row.beatAt,
    stopped: row.stopped === 1,
  }))
}
