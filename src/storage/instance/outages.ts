/** The stored outages of Punctual, and the hold that results. */
import { holdWhileUnheard } from '../../core/checks/health/judge.js'
import { type Beat, heardBy } from '../../core/instance/beats.js'
import { around, belongTogether, type Hold, holdAt, joined, type Outage } from '../../core/instance/outage.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import { holdColumns, holdOf, MAX_OUTAGES, outagesFrom } from './hold-columns.js'

/** The columns of an outage. */
export const COLUMNS = [
  'started_at as startedAt',
  'ended_at as endedAt',
  'hold_until as holdUntil',
  'partial',
  'heard_ms as heardMs',
] as const

type OutageRow = Omit<Outage, 'partial'> & { partial: number; heardMs: number }

/** The outage in a row. */
export const toOutage = ({ startedAt, endedAt, holdUntil, partial, heardMs }: OutageRow): Outage => ({
  startedAt,
  endedAt,
  holdUntil,
  partial: partial === 1,
  ...(heardMs > 0 && { heardMs }),
})

/** Pages look back 94 days, reports and messages less: older outages are deleted when a newer one is stored. */
const RETENTION_MS = 100 * 86_400_000

/** Locks the list of outages until the transaction ends. */
export async function lockOutages(db: Db): Promise<void> {
  await db.sql
    .insertInto('meta')
    .values({ key: 'outages', value: '' })
    .onConflict(oc => oc.column('key').doUpdateSet({ value: '' }))
    .execute()
}

/** Stores an outage, joined with stored ones that overlap it or are close. */
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
    // Implied by the condition before, but this one has an index.
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

/** The hold at `now`, or null. See core/instance/outage.ts. */
export async function currentHold(db: Db, now: number): Promise<Hold | null> {
  const [facts] = await holdFacts.all(db, { since: outagesFrom(now) })
  return holdOf(facts!, now, db.settings.outageHoldMs)
}

const holdFacts = prepared((sql, value: { since: number }) => sql.selectNoFrom(holdColumns(value.since)))

/**
 * The instant (ms), at most `now`, before which every ping that reached any process is on disk, and the hold at that
 * instant. `own`: the facts of the calling process, which are newer than its beat.
 */
export async function heardAndHold(
  db: Db,
  now: number,
  own: { process: string; heardUntil: number } | null,
): Promise<{ heardUntil: number; hold: Hold | null }> {
  // In this order: an outage is stored with the beat that ends it, so a reader of that beat also sees the outage.
  const beats = (await allBeats(db)).filter(beat => beat.process !== own?.process)
  if (own) beats.push({ process: own.process, beatAt: now, heardAt: own.heardUntil, stopped: false })
  const { outageHoldMs } = db.settings
  const heardUntil = heardBy(beats, now, outageHoldMs)
  return { heardUntil, hold: holdAt(await recentOutages(db, heardUntil), heardUntil, outageHoldMs) }
}

/**
 * The hold with which a check is judged at `now` by a ping, a change of settings or a pause: deadlines in the time whose
 * pings may not all be on disk wait.
 */
export async function holdToJudge(db: Db, now: number): Promise<Hold | null> {
  const { heardUntil, hold } = await heardAndHold(db, now, null)
  return holdWhileUnheard(hold, heardUntil, now)
}

/** The outages whose hold ended at `since` or later, oldest first. */
export async function outagesSince(db: Db, since: number): Promise<Outage[]> {
  return (await heldSince.all(db, { since })).map(toOutage)
}

const heldSince = prepared((sql, value: { since: number }) =>
  sql.selectFrom('outages').select(COLUMNS).where('hold_until', '>=', value.since).orderBy('started_at'),
)

/** The outages that can matter to the hold at `now`. */
async function recentOutages(db: Db, now: number): Promise<Outage[]> {
  return (await newest.all(db, { since: outagesFrom(now) })).map(toOutage)
}

const newest = prepared((sql, value: { since: number }) =>
  sql
    .selectFrom('outages')
    .select(COLUMNS)
    .where('hold_until', '>=', value.since)
    .orderBy('hold_until', 'desc')
    .limit(MAX_OUTAGES),
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

/** The newest beats of all processes. */
export async function allBeats(db: Db): Promise<Beat[]> {
  return (await beatRows.all(db, {})).map(({ process, beatAt, heardAt, heardFrom, number, stopped }) => ({
    process,
    beatAt,
    // A process of the previous version does not store this.
    heardAt: heardAt || beatAt,
    ...(heardFrom > 0 && { heardFrom }),
    number,
    stopped: stopped === 1,
  }))
}
