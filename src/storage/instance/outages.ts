/** The stored outages of Punctual, and the hold that results. */
import type { Hearing } from '../../core/alerts/delivery/raised-late.js'
import { holdWhileUnheard } from '../../core/checks/health/judge.js'
import { type Beat, beatsAbout, heardBy, troubleSince } from '../../core/instance/beats.js'
import { around, belongTogether, type Hold, holdAt, joined, type Outage } from '../../core/instance/outage.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import { type Behind, readBehind } from './behind.js'
import { holdColumns, holdOf, MAX_OUTAGES, outagesFrom } from './hold-columns.js'
import { isInPart, ONE_CHECK } from './parts.js'

/** The columns of an outage. */
export const COLUMNS = [
  'started_at as startedAt',
  'ended_at as endedAt',
  'hold_until as holdUntil',
  'partial',
  'heard_ms as heardMs',
  'part',
] as const

type OutageRow = Omit<Outage, 'partial'> & { partial: number; heardMs: number; part: string }

/** The outage in a row. */
export const toOutage = ({ startedAt, endedAt, holdUntil, partial, heardMs, part }: OutageRow): Outage => ({
  startedAt,
  endedAt,
  holdUntil,
  partial: partial === 1,
  ...(heardMs > 0 && { heardMs }),
  ...(part !== '' && { part }),
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
  const {
    startedAt,
    endedAt,
    holdUntil,
    partial,
    heardMs = 0,
    part = '',
  } = joined([outage, ...known.map(toOutage)])
  await db.sql
    .insertInto('outages')
    .values({
      started_at: startedAt,
      ended_at: endedAt,
      hold_until: holdUntil,
      partial: partial ? 1 : 0,
      heard_ms: heardMs,
      part,
    })
    .execute()
}

/** The hold at `now`, or null, for what is shown: see {@link holdOf}. */
export async function currentHold(db: Db, now: number): Promise<Hold | null> {
  const [facts] = await holdFacts.all(db, { since: outagesFrom(now) })
  return holdOf(facts!, now, db.settings.outageHoldMs)
}

/** The hold at `now` that is the result of an outage, or of trouble that a beat shows, or null. */
export async function holdOfTrouble(db: Db, now: number): Promise<Hold | null> {
  const [facts] = await holdFacts.all(db, { since: outagesFrom(now) })
  return holdOf(facts!, now, db.settings.outageHoldMs, troubleSince)
}

const holdFacts = prepared((sql, value: { since: number }) => sql.selectNoFrom(holdColumns(value.since)))

/** Up to when, and with which hold, deadlines are judged. */
export type Judging = Hearing

/** As of when all checks are judged, but those of parts whose pings some process cannot record, or could not. */
export interface JudgingByCheck extends Judging {
  of(checkId: number): Judging
}

/** What a process that accepts pings knows itself; see {@link BeatState}. */
export interface OwnHearing {
  process: string
  heardUntil: number
  behind?: Behind
}

/** As of when deadlines are judged at `now` (ms). `own`: the facts of the calling process, which are newer than its beat. */
export async function judgingAt(db: Db, now: number, own: OwnHearing | null): Promise<JudgingByCheck> {
  // In this order: an outage is stored with the beat that ends it, so a reader of that beat also sees the outage.
  const beats = (await allBeats(db)).filter(beat => beat.process !== own?.process)
  if (own) {
    const { process, heardUntil, behind } = own
    beats.push({ process, beatAt: now, heardAt: heardUntil, stopped: false, ...(behind && { behind }) })
  }
  const { outageHoldMs } = db.settings
  const heardAll = heardBy(beatsAbout(beats, no), now, outageHoldMs)
  const outages = await recentOutages(db, Math.min(heardAll, heardBy(beatsAbout(beats), now, outageHoldMs)))
  const judging = (concerns: (part: string) => boolean): Judging => {
    const about = beatsAbout(beats, concerns)
    const heardUntil = heardBy(about, now, outageHoldMs)
    const concerned = outages.filter(({ part }) => part === undefined || concerns(part))
    const lasting = concerned.filter(({ holdUntil }) => holdUntil > heardUntil)
    // What a process knows itself is exact; other beats are always a little behind.
    const isTroubled = about.some(({ process, heardAt }) => process === own?.process && heardAt < now)
    return {
      heardUntil,
      isTroubled: isTroubled || troubleSince(about, now) !== null,
      hold: holdAt(concerned, heardUntil, outageHoldMs),
      outage: lasting.toSorted((a, b) => a.endedAt - b.endedAt).at(-1) ?? null,
    }
  }
  const parts = new Set([
    ...beats.flatMap(({ behind = {} }) => Object.keys(behind)),
    ...outages.flatMap(({ part }) => part ?? []),
  ])
  const all = judging(no)
  if (parts.size === 0) return { ...all, of: () => all }
  const byParts = new Map<string, Judging>()
  return {
    ...all,
    of(checkId) {
      const own = [...parts].filter(part => isInPart(part, checkId))
      const key = own.join()
      const known = byParts.get(key) ?? judging(part => own.includes(part))
      byParts.set(key, known)
      return known
    },
  }
}

const no = () => false

/**
 * The hold with which a check is judged at `now` by a ping, a change of settings or a pause: deadlines in the time whose
 * pings may not all be on disk wait.
 */
export async function holdToJudge(db: Db, now: number): Promise<(checkId: number) => Hold | null> {
  const judging = await judgingAt(db, now, null)
  return checkId => {
    const { heardUntil, hold } = judging.of(checkId)
    return holdWhileUnheard(hold, heardUntil, now)
  }
}

/** The outages whose hold ended at `since` or later, oldest first; of one check, those that concern it. */
export async function outagesSince(db: Db, since: number, checkId?: number): Promise<Outage[]> {
  const outages = (await heldSince.all(db, { since })).map(toOutage)
  return checkId === undefined ? outages : outagesOf(outages, checkId)
}

/** Those of the outages that concern a check. */
export function outagesOf(outages: readonly Outage[], checkId: number): Outage[] {
  return outages.filter(({ part }) => part === undefined || isInPart(part, checkId))
}

const heldSince = prepared((sql, value: { since: number }) =>
  sql.selectFrom('outages').select(COLUMNS).where('hold_until', '>=', value.since).orderBy('started_at'),
)

/** The outages that can matter to the hold at `now`. Those of single checks do not displace others. */
async function recentOutages(db: Db, now: number): Promise<Outage[]> {
  const since = outagesFrom(now)
  const rows = [...(await newest.all(db, { since })), ...(await newestOfChecks.all(db, { since }))]
  return rows.map(toOutage)
}

const newest = prepared((sql, value: { since: number }) =>
  newestOutages(sql, value.since).where('part', 'not like', `${ONE_CHECK}%`),
)

const newestOfChecks = prepared((sql, value: { since: number }) =>
  newestOutages(sql, value.since).where('part', 'like', `${ONE_CHECK}%`),
)

function newestOutages(sql: Db['sql'], since: number) {
  return sql
    .selectFrom('outages')
    .select(COLUMNS)
    .where('hold_until', '>=', since)
    .orderBy('hold_until', 'desc')
    .limit(MAX_OUTAGES)
}

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
      'behind',
    ]),
)

/** The newest beats of all processes. */
export async function allBeats(db: Db): Promise<Beat[]> {
  return (await beatRows.all(db, {})).map(row => {
    const { process, beatAt, heardAt, heardFrom, number, stopped } = row
    const behind = readBehind(row.behind)
    return {
      process,
      beatAt,
      // A process of the previous version does not store this.
      heardAt: heardAt || beatAt,
      ...(heardFrom > 0 && { heardFrom }),
      ...(behind && { behind }),
      number,
      stopped: stopped === 1,
    }
  })
}
