/** The stored outages of Punctual, and the hold that results. */
import type { ExpressionBuilder } from 'kysely'
import type { Hearing } from '../../core/alerts/delivery/raised-late.js'
import { holdWhileUnheard } from '../../core/checks/health/judge.js'
import { type Beat, beatsAbout, heardBy, isTroubled, troubleSince } from '../../core/instance/beats.js'
import { type Hold, heldUntil, heldUpTo, holdsAt, type Outage, ofAll } from '../../core/instance/outage.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import type { Tables } from '../tables.js'
import { type Behind, readBehind } from './behind.js'
import { holdColumns, holdOf, MAX_OUTAGES, outagesFrom } from './hold-columns.js'
import {
  type CheckInParts,
  isInPart,
  isWithinProject,
  ONE_CHECK,
  ONE_PROJECT,
  partOfCheck,
  partOfProject,
} from './parts.js'

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

/** Up to when, and with which hold, deadlines are judged; null: there is none. */
export interface Judging extends Hearing {
  hold: Hold | null
}

/** As of when all checks are judged, but those of parts whose pings some process cannot record, or could not. */
export interface JudgingByCheck extends Judging {
  of(check: CheckInParts): Judging
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
    const holds = holdsAt(concerned, heardUntil, outageHoldMs)
    return {
      heardUntil,
      isTroubled: isTroubled(about, now, own?.process),
      hold: ofAll(holds),
      outage: lasting.toSorted((a, b) => a.endedAt - b.endedAt).at(-1) ?? null,
      heldUntil: deadline => heldUntil(holds, deadline),
      heldUpTo: (deadline, within) => heldUpTo(concerned, deadline, within, outageHoldMs),
    }
  }
  const parts = new Set([
    ...beats.flatMap(({ behind = {} }) => Object.keys(behind)),
    ...outages.flatMap(({ part }) => part ?? []),
  ])
  const all = judging(no)
  if (parts.size === 0) return { ...all, of: () => all }
  const byParts = new Map<string, Judging>()
  const servers = [...parts].filter(part => !isWithinProject(part))
  return {
    ...all,
    of(check) {
      const within = [partOfCheck(check.id), partOfProject(check.projectId)].filter(part => parts.has(part))
      const own = [...servers.filter(part => isInPart(part, check)), ...within]
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
export async function holdToJudge(db: Db, now: number): Promise<(check: CheckInParts) => Hold | null> {
  const judging = await judgingAt(db, now, null)
  return check => {
    const { heardUntil, hold } = judging.of(check)
    return holdWhileUnheard(hold, heardUntil, now)
  }
}

/** The outages whose hold ended at `since` or later, oldest first; of one check, those that concern it. */
export async function outagesSince(db: Db, since: number, check?: CheckInParts): Promise<Outage[]> {
  const outages = (await heldSince.all(db, { since })).map(toOutage)
  return check ? outagesOf(outages, check) : outages
}

/** Those of the outages that concern a check. */
export function outagesOf(outages: readonly Outage[], check: CheckInParts): Outage[] {
  return outages.filter(({ part }) => part === undefined || isInPart(part, check))
}

const heldSince = prepared((sql, value: { since: number }) =>
  sql.selectFrom('outages').select(COLUMNS).where('hold_until', '>=', value.since).orderBy('started_at'),
)

/** The outages that can matter to the hold at `now`. Those within projects do not displace others, nor, while their holds last, each other. */
async function recentOutages(db: Db, now: number): Promise<Outage[]> {
  const since = outagesFrom(now)
  const others = await newest.all(db, { since })
  const within = await newestWithinProjects.all(db, { since })
  const mayBeMore = within.length === MAX_OUTAGES && within.at(-1)!.holdUntil > now
  const rows = mayBeMore ? await heldWithinProjects.all(db, { since: now }) : within
  return [...others, ...rows].map(toOutage)
}

/** As {@link isWithinProject}, of a row. */
const isRowWithinProject = (eb: ExpressionBuilder<Tables, 'outages'>) =>
  eb.or([eb('part', 'like', `${ONE_CHECK}%`), eb('part', 'like', `${ONE_PROJECT}%`)])

const newest = prepared((sql, value: { since: number }) =>
  newestOutages(sql, value.since)
    .where(eb => eb.not(isRowWithinProject(eb)))
    .limit(MAX_OUTAGES),
)

const newestWithinProjects = prepared((sql, value: { since: number }) =>
  newestOutages(sql, value.since).where(isRowWithinProject).limit(MAX_OUTAGES),
)

/** Three processes store as many in 30 s, the shortest hold, if each stores 100 a second (few-parts.ts). */
const MOST_HELD = 10_000

const heldWithinProjects = prepared((sql, value: { since: number }) =>
  newestOutages(sql, value.since).where(isRowWithinProject).limit(MOST_HELD),
)

function newestOutages(sql: Db['sql'], since: number) {
  return sql
    .selectFrom('outages')
    .select(COLUMNS)
    .where('hold_until', '>=', since)
    .orderBy('hold_until', 'desc')
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
