/** Records pings: a batch becomes log rows, new states, flips and deliveries in one transaction. */

import type {
  ArrivedPing,
  CheckOfProject,
  PingOutcome,
  RecordedPings,
} from '../../core/pings/arrived-ping.js'
import { readsMail } from '../../core/pings/classify.js'
import { MOST_DELIVERIES, roomForFlips } from '../channels/count-targets.js'
import { lockTargetsOf } from '../channels/lock-targets.js'
import { lockProjects } from '../checks/checks.js'
import { insertFlips } from '../checks/flips.js'
import { insertPassedDeadlines } from '../checks/history/passed-deadlines.js'
import type { Db } from '../db.js'
import type { LoadedCheck, PingRow, SlugMatch } from '../dialect.js'
import { holdToJudge } from '../instance/outages.js'
import { pruneChecks } from '../instance/prune.js'
import type { WhenLocked } from '../locks.js'
import { announcedWrite } from '../method.js'
import { waivedFor } from '../silences/waived.js'
import { autoProvision } from './auto-provision.js'
import { textRulesOf } from './keywords.js'
import {
  checksToPrune,
  checksWithKeywords,
  type Match,
  type PingPlan,
  planPings,
} from './recording/ping-plan.js'
import { sentPings } from './sent-pings.js'
import { insertUploads, separateLargeBodies } from './uploads.js'

/**
 * Records a batch in order. For several pings of a check, its row is written once, with every log row and every flip.
 * Outcomes are reported only after the commit. The pings of the checks with the IDs `after` are `locked`, because earlier
 * ones still wait. `whenLocked`: whether it waits for what other transactions have locked, or skips the pings that need
 * it, which then are `locked` too. So are those whose alerts would be too many for one transaction. Decision 0040.
 */
export const record = announcedWrite(
  async (
    db: Db,
    pings: readonly ArrivedPing[],
    after: readonly number[] = [],
    whenLocked: WhenLocked = 'wait',
  ): Promise<RecordedPings> => {
    const locked: LockedPlaces = new Map()
    const { found, uncreated } = await find(db, pings, { after: new Set(after), whenLocked }, locked)
    await leaveUnread(db, pings, found, locked)
    const texts = await textRulesOf(db, checksWithKeywords(found, pings))
    const planned = async () =>
      planPings(found, pings, texts) ?? (await planWithMore(db, found, pings, texts))
    let plan = await planned()
    const putOff = async (room: ReadonlyMap<number, number>): Promise<number[]> => {
      if (room.size === 0) return []
      const places = placesBeyond(room, found, plan)
      for (const { place, check } of places) {
        locked.set(place, toLocked(check))
        found[place] = 'locked'
      }
      plan = await planned()
      return places.map(({ place }) => place)
    }
    const large = [...uncreated, ...(await putOff(await roomForFlips(db, flippedIn(plan), plan.flips)))]
    if (whenLocked === 'skip') {
      const waiting = await lockTargetsOf(db, flippedIn(plan))
      await putOff(new Map([...waiting].map(id => [id, 0])))
    }
    await save(db, plan)
    if (locked.size === 0) return plan.result
    return { ...plan.result, locked, ...(large.length > 0 && { large: new Set(large) }) }
  },
)

/**
 * Records the pings that `take` returns once nobody else has locked the check with this ID. On PostgreSQL it waits in line for that, behind the
 * processes that have waited for the check before. Rejects with {@link isLocked} if it takes too long.
 */
export const recordInLine = announcedWrite(
  async (db: Db, _checkId: number, take: () => readonly ArrivedPing[]): Promise<RecordedPings> =>
    await record(db, take()),
)

/** The most checks that a batch creates, and the most channels to which it links them: a check takes 2 ms on SQLite, and 10 ms on PostgreSQL. */
const MOST_CREATED = { checks: 32, links: MOST_DELIVERIES / 2 }

/** The places of the pings of these checks, but for the first ones of each, as many as `room` says. */
function placesBeyond(
  room: ReadonlyMap<number, number>,
  found: readonly Match[],
  { result }: PingPlan,
): { place: number; check: LoadedCheck }[] {
  const left = new Map(room)
  return found.flatMap((match, place) => {
    if (typeof match === 'string' || result.outcomes[place] === 'unread') return []
    const { check } = match
    const free = left.get(check.id)
    if (free === undefined) return []
    left.set(check.id, free - 1)
    return free > 0 ? [] : [{ place, check }]
  })
}

/** The checks of pings that are locked, by their places; null for one that is not created yet. */
type LockedPlaces = Map<number, CheckOfProject | null>

const toLocked = ({ id, projectId }: LoadedCheck): CheckOfProject => ({ checkId: id, projectId })

/**
 * E-mails that have to be read do not wait for what is locked: nothing is recorded of them until then, and what comes later would
 * be recorded before them.
 */
async function leaveUnread(
  db: Db,
  pings: readonly ArrivedPing[],
  found: Match[],
  locked: LockedPlaces,
): Promise<void> {
  const waiting = [...locked].flatMap(([place, check]) =>
    check !== null && pings[place]!.mail === null ? [{ place, id: check.checkId }] : [],
  )
  if (waiting.length === 0) return
  const texts = await textRulesOf(db, [...new Set(waiting.map(({ id }) => id))])
  for (const { place, id } of waiting) {
    const rules = texts.get(id)
    if (!rules || !readsMail(rules)) continue
    found[place] = 'unread'
    locked.delete(place)
  }
}

/** The checks whose status changes. */
function flippedIn({ touched, flips }: PingPlan) {
  if (flips.length === 0) return []
  const ids = new Set(flips.map(({ checkId }) => checkId))
  return touched.flatMap(({ check }) => (ids.has(check.id) ? [check] : []))
}

async function planWithMore(db: Db, ...asked: Parameters<typeof planPings>): Promise<PingPlan> {
  const [found, pings, texts] = asked
  const now = Math.max(...pings.map(ping => ping.arrivedAt))
  const hold = await holdToJudge(db, now)
  const waived = await waivedFor(
    db,
    found.flatMap(match => (typeof match === 'string' ? [] : [match.check])),
    now,
  )
  const sent = await sentPings(db, found, pings)
  return planPings(found, pings, texts, { hold, waived, sent })!
}

async function save(db: Db, plan: PingPlan): Promise<void> {
  const { touched, changed, rows, flips, passed, result } = plan
  if (touched.length === 0) return
  const checks = touched.map(({ check }) => check)
  const toPrune = checksToPrune(plan, db.settings.pingLogLimit)
  const { log, uploads } = separateLargeBodies(db, rows)
  // Awaited, because a query that is still being built would be sent after the commit.
  await insertUploads(db, uploads)
  const logged = db.dialect.insertPings(log)
  // SQLite may have rolled back everything; later statements would then be committed on their own.
  if (!db.sendWithCommit) await logged
  // Sent together, so that on PostgreSQL they share a round trip.
  const written = Promise.all([logged, db.dialect.saveStates(checks, changed)])
  const dated = rows.filter(row => row.ran_at !== null)
  // Else pings would wait for what others have locked of the messages about these checks.
  if (db.dialect.hasConcurrentWrites && toPrune.length > 0) result.tooLong = toPrune
  if (db.sendWithCommit && flips.length + passed.length + dated.length === 0)
    return db.sendWithCommit(written)
  await written
  const now = Math.max(...rows.map(row => row.created_at))
  for (const row of dated) await saveTime(db, row)
  await insertPassedDeadlines(db, passed)
  result.alerts = await insertFlips(db, flips, now)
  if (!db.dialect.hasConcurrentWrites) await pruneChecks(db, toPrune, now)
}

/** A statement of its own, so that pings that come in time cost no more. */
async function saveTime(db: Db, { check_id, n, ran_at }: PingRow): Promise<void> {
  await db.sql
    .updateTable('pings')
    .set({ ran_at })
    .where('check_id', '=', check_id)
    .where('n', '=', n)
    .execute()
}

/**
 * The check of each ping, or why there is none. Creates the checks that `create=1` asks for. Adds those that are locked, and
 * those in `after`, to `locked`; so too those that are not created because they are too many, with their places in `uncreated`.
 */
async function find(
  db: Db,
  pings: readonly ArrivedPing[],
  { after, whenLocked }: { after: ReadonlySet<number>; whenLocked: WhenLocked },
  locked: LockedPlaces,
): Promise<{ found: Match[]; uncreated: number[] }> {
  const bySlug = pings.flatMap(ping => ('slug' in ping.target ? [ping.target] : []))
  const { matches: slugMatch, waiting } = await matchSlugs(db, bySlug, whenLocked)
  const createdHere = new Map<string, string>()
  const uncreated: number[] = []
  let links = 0
  const targets: ({ uuid: string; created: boolean } | PingOutcome | 'locked')[] = []
  for (const [place, { target, arrivedAt }] of pings.entries()) {
    if ('uuid' in target) {
      targets.push({ uuid: target.uuid, created: false })
      continue
    }
    const { projectId, uuids } = slugMatch.get(target)!
    const key = `${target.pingKey} ${target.slug}`
    const known = uuids[0] ?? createdHere.get(key)
    if (uuids.length > 1) targets.push('ambiguous')
    else if (known !== undefined) targets.push({ uuid: known, created: false })
    else if (projectId === null || !target.create) targets.push('not-found')
    else if (target.slug.length > 100) targets.push('invalid-url')
    else if (waiting.has(projectId)) targets.push('locked')
    else if (createdHere.size >= MOST_CREATED.checks || links >= MOST_CREATED.links) {
      targets.push('locked')
      uncreated.push(place)
    } else {
      const created = await autoProvision(db, projectId, target.slug, arrivedAt)
      if (created !== null) createdHere.set(key, created.uuid)
      links += created?.channels ?? 0
      targets.push(created === null ? 'not-found' : { uuid: created.uuid, created: true })
    }
  }
  const uuids = new Set<string>()
  for (const target of targets) if (typeof target !== 'string') uuids.add(target.uuid)
  const { checks, locked: named } =
    whenLocked === 'skip'
      ? await db.dialect.loadUnlocked([...uuids])
      : { checks: await db.dialect.loadChecks([...uuids]), locked: [] }
  const loaded = new Map(checks.map(check => [check.uuid, check]))
  const waitingFor = new Map(named.map(({ uuid, ...check }) => [uuid, check]))
  const lock = (place: number, check: CheckOfProject | null) => {
    locked.set(place, check)
    return 'locked' as const
  }
  const found = targets.map((target, place): Match => {
    if (target === 'locked') return lock(place, null)
    if (typeof target === 'string') return target
    const check = loaded.get(target.uuid)
    if (check && !after.has(check.id)) return { check, created: target.created }
    const waiting = check ? toLocked(check) : waitingFor.get(target.uuid)
    return waiting === undefined ? 'not-found' : lock(place, waiting)
  })
  return { found, uncreated }
}

type SlugTarget = Extract<ArrivedPing['target'], { slug: string }>

/**
 * The match of each target. If a check has to be created, its project is locked first: another process that creates
 * the same check has then either created it, or waits and will find ours. `waiting`: the projects that another
 * transaction has locked.
 */
async function matchSlugs(
  db: Db,
  targets: SlugTarget[],
  whenLocked: WhenLocked,
): Promise<{ matches: Map<SlugTarget, SlugMatch>; waiting: ReadonlySet<number> }> {
  const matches = new Map<SlugTarget, SlugMatch>()
  const match = async (some: SlugTarget[]) => {
    if (some.length === 0) return
    for (const [index, match] of (await db.dialect.findBySlug(some)).entries())
      matches.set(some[index]!, match)
  }
  await match(targets)
  const projects = new Set<number>()
  const toCreate = targets.filter(target => {
    const { projectId, uuids } = matches.get(target)!
    if (!target.create || projectId === null || uuids.length > 0) return false
    projects.add(projectId)
    return true
  })
  const waiting = await lockProjects(db, [...projects], whenLocked)
  await match(toCreate)
  return { matches, waiting }
}
