/** Records pings: a batch becomes log rows, new states, flips and deliveries in one transaction. */

import type { ArrivedPing, EarlierPings, RecordedPings } from '../../core/pings/arrived-ping.js'
import { readsMail } from '../../core/pings/classify.js'
import { roomForFlips } from '../channels/count-targets.js'
import { lockTargetsOf } from '../channels/lock-targets.js'
import { insertFlips } from '../checks/flips.js'
import { insertPassedDeadlines } from '../checks/history/passed-deadlines.js'
import type { Db } from '../db.js'
import type { LoadedCheck, PingRow } from '../dialect.js'
import { holdToJudge } from '../instance/outages.js'
import { pruneChecks } from '../instance/prune.js'
import type { WhenLocked } from '../locks.js'
import { announcedWrite, costlyWrite } from '../method.js'
import { waivedFor } from '../silences/waived.js'
import { textRulesOf } from './keywords.js'
import { findChecks, type LockedPlaces, toLocked } from './recording/find-checks.js'
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
 * Outcomes are reported only after the commit. Pings of what `earlier` ones wait for are `locked`, because those
 * still wait. `whenLocked`: whether it waits for what other transactions have locked, or skips the pings that need
 * it, which then are `locked` too. So are those whose alerts would be too many for one transaction; if others may be in the batch, which
 * is so unless `earlier` is null, each that alerts many channels. Decision 0158.
 */
export const record = announcedWrite(
  async (
    db: Db,
    pings: readonly ArrivedPing[],
    earlier: EarlierPings | null = null,
    whenLocked: WhenLocked = 'wait',
  ): Promise<RecordedPings> => {
    const locked: LockedPlaces = new Map()
    const { found, uncreated } = await findChecks(db, pings, { earlier, whenLocked }, locked)
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
    const isShared = earlier !== null && pings.length > 1
    const room = await roomForFlips(db, flippedIn(plan), plan.flips, isShared)
    const large = [...uncreated, ...(await putOff(room))]
    if (whenLocked === 'skip') {
      const waiting = await lockTargetsOf(db, flippedIn(plan))
      await putOff(new Map([...waiting].map(id => [id, 0])))
    }
    await save(db, plan, newestArrival(pings))
    if (locked.size === 0) return plan.result
    return { ...plan.result, locked, ...(large.length > 0 && { large: new Set(large) }) }
  },
)

/** Records the pings that `take` returns when the turn comes: those that were too much for a batch with others. */
export const recordLarge = costlyWrite(
  async (db: Db, take: () => readonly ArrivedPing[]): Promise<RecordedPings> => await record(db, take()),
)

/**
 * Records the pings that `take` returns once nobody else has locked the check with this ID. On PostgreSQL it waits in line for that, behind the
 * processes that have waited for the check before. Rejects with {@link isLocked} if it takes too long.
 */
export const recordInLine = announcedWrite(
  async (db: Db, _checkId: number, take: () => readonly ArrivedPing[]): Promise<RecordedPings> =>
    await record(db, take()),
)

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
    check.checkId !== null && pings[place]!.mail === null ? [{ place, id: check.checkId }] : [],
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
  const now = newestArrival(pings)
  const hold = await holdToJudge(db, now)
  const waived = await waivedFor(
    db,
    found.flatMap(match => (typeof match === 'string' ? [] : [match.check])),
    now,
  )
  const sent = await sentPings(db, found, pings)
  return planPings(found, pings, texts, { hold, waived, sent })!
}

/** Unlike the times of pings, this is not ahead of a clock that was set back a little: what they cause is due at once. */
function newestArrival(pings: readonly ArrivedPing[]): number {
  return Math.max(...pings.map(ping => ping.arrivedAt))
}

async function save(db: Db, plan: PingPlan, now: number): Promise<void> {
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
