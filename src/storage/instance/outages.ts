/** Punctual's own absences as they are on record, and what is held because of them. */
import { type Beat, heardBy } from '../../core/instance/beats.js'
import { around, belongTogether, type Hold, holdAt, joined, type Outage } from '../../core/instance/outage.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import { holdColumns, holdOf, MOST_OUTAGES, outagesFrom } from './hold-columns.js'

/** The columns of an outage. */
export const COLUMNS = [
  'started_at as startedAt',
  'ended_at as endedAt',
  'hold_until as holdUntil',
  'partial',
  'heard_ms as heardMs',
] as const

type OutageRow = Omit<Outage, 'partial'> & { partial: number; heardMs: number }

/** The outage that a row is. */
export const toOutage = ({ startedAt, endedAt, holdUntil, partial, heardMs }: OutageRow): Outage => ({
  startedAt,
  endedAt,
  holdUntil,
  partial: partial === 1,
  ...(heardMs > 0 && { heardMs }),
})

/** Pages look back 94 days, reports and messages less far: older outages are deleted as newer ones come. */
const RETENTION_MS = 100 * 86_400_000

/** Holds the list of outages until the transaction ends. */
export async function lockOutages(db: Db): Promise<void> {
  await db.sql
    .insertInto('meta')
    .values({ key: 'outages', value: '' })
    .onConflict(oc => oc.column('key').doUpdateSet({ value: '' }))
    .execute()
}

/** Records an outage; what is known already of the same time, or of moments beside it, becomes part of it. */
export async function addOutage(db: Db, outage: Outage): Promise<void> {
  await db.sql
    .deleteFrom('outages')
    .where('hold_until', '<', outage.startedAt - RETENTION_MS)
    .execute()
  const { from, to } = around(outage)
  const rows = await db.sql
    .selectFrom('outages')
    .select(['id', ...COLUMNS])
    .where('started_at', '<', to)
    .where('ended_at', '>', from)
    // Implied by the condition before; this one has an index.
    .where('hold_until', '>', from)
    .execute()
  const known = rows.filter(row => belongTogether(outage, toOutage(row)))
  const ids = known.map(({ id }) => id)
  if (ids.length > 0) await db.sql.deleteFrom('outages').where('id', 'in', ids).execute()
  const { startedAt, endedAt, holdUntil, partial, heardMs = 0 } = joined([outage, ...known.map(toOutage)])
  await db.sql
    .insertInto('outages')
    .values({
      started_at: startedAt,
      ended_at: endedAt,
      hold_until: holdUntil,
      partial: partial ? 1 : 0,
      heard_ms: heardMs,
    })
    .execute()
}

/** The hold in force at `now`, or null. See core/instance/outage.ts. */
export async function currentHold(db: Db, now: number): Promise<Hold | null> {
  const [facts] = await holdFacts.all(db, { since: outagesFrom(now) })
  return holdOf(facts!, now, db.settings.outageHoldMs)
}

const holdFacts = prepared((sql, value: { since: number }) => sql.selectNoFrom(holdColumns(value.since)))

/**
 * The instant (ms), `now` at the latest, before which every ping is on disk that reached any process, and the hold that
 * is in force then. `own`: what the process that asks knows of itself, which is newer than its beat.
 */
export async function heardAndHold(
  db: Db,
  now: number,
  own: { process: string; heardUntil: number } | null,
): Promise<{ heardUntil: number; hold: Hold | null }> {
  // In this order: an outage is written with the beat that ends it, so whoever sees that beat sees the outage too.
  const beats = (await allBeats(db)).filter(beat => beat.process !== own?.process)
  if (own) beats.push({ process: own.process, beatAt: now, heardAt: own.heardUntil, stopped: false })
  const { outageHoldMs } = db.settings
  const heardUntil = heardBy(beats, now, outageHoldMs)
  return { heardUntil, hold: holdAt(await recentOutages(db, heardUntil), heardUntil, outageHoldMs) }
}

/** The outages whose hold ended at `since` or later, oldest first. */
export async function outagesSince(db: Db, since: number): Promise<Outage[]> {
  return (await heldSince.all(db, { since })).map(toOutage)
}

const heldSince = prepared((sql, value: { since: number }) =>
  sql.selectFrom('outages').select(COLUMNS).where('hold_until', '>=', value.since).orderBy('started_at'),
)

/** The outages that the hold in force at `now` may be made of. */
async function recentOutages(db: Db, now: number): Promise<Outage[]> {
  return (await newest.all(db, { since: outagesFrom(now) })).map(toOutage)
}

const newest = prepared((sql, value: { since: number }) =>
  sql
    .selectFrom('outages')
    .select(COLUMNS)
    .where('hold_until', '>=', value.since)
    .orderBy('hold_until', 'desc')
    .limit(MOST_OUTAGES),
)

const beatRows = prepared(sql =>
  sql
    .selectFrom('beats')
    .select([
      'process',
      'beat_at as beatAt',
      'heard_at as heardAt',
      'heard_from as heardFrom',
      'number',
      'stopped',
    ]),
)

/** What the processes that take pings have last said. */
export async function allBeats(db: Db): Promise<Beat[]> {
  return (await beatRows.all(db, {})).map(({ process, beatAt, heardAt, heardFrom, number, stopped }) => ({
    process,
    beatAt,
    // A process of the version before says nothing of it.
    heardAt: heardAt || beatAt,
    ...(heardFrom > 0 && { heardFrom }),
    number,
    stopped: stopped === 1,
  }))
}
