/** Silence: finds the checks whose deadline has passed with one indexed query. */

import { JUDGE_AGAIN_MS, stateAfterDeadlines } from '../../core/checks/health/judge.js'
import { nextDeadlineAt, withDeadlines } from '../../core/checks/health/settle.js'
import { roundRobin } from '../../lib/fair/round-robin.js'
import { countTargets } from '../channels/count-targets.js'
import { lockTargetsOf } from '../channels/lock-targets.js'
import { insertFlips, type NewFlip } from '../checks/flips.js'
import { insertPassedDeadlines, type NewPassedDeadline } from '../checks/history/passed-deadlines.js'
import { idsOf } from '../checks/rows/states.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import type { LoadedCheck } from '../dialect.js'
import { judgingAt, type OwnHearing } from '../instance/outages.js'
import { announcedWrite, poll, readWithoutSnapshot } from '../method.js'
import type { Among } from '../set-aside.js'
import { waivedFor } from '../silences/waived.js'

export interface DeclaredDown {
  /** The number of checks that went down. */
  declared: number
  /** Whether more woken checks are waiting; false if none that was looked at could be judged yet. */
  more: boolean
  /** The projects of the waiting checks that were found. */
  unfinished: number[]
  /** The project whose turn it was first; the next transaction begins with the one after it. */
  after: number
  /** Whether a delivery was added. */
  alerts: boolean
  /** Whether a check has changed its status. */
  checks: boolean
  /** The errors that the rules threw, for the log. */
  errors: string[]
  /** The instant (ms) before which every ping is on disk: later deadlines were not judged. */
  heardUntil: number
}

/** The pause (ms) for a check for which the rules threw an error. */
const POSTPONE_MS = 60_000

/** The earliest instant (ms) at which some check may have to go down, or null. */
export const nextWake = poll((db: Db): Promise<number | null> => db.dialect.earliestWakeUp())

/** The maximum number of IDs that {@link wokenChecks} returns. */
const FOUND = 1_000

/** The IDs of woken checks without those in `except`, the earliest first. */
export const wokenChecks = readWithoutSnapshot(
  async (db: Db, now: number, except: readonly number[]): Promise<number[]> => {
    const rows = await db.sql
      .selectFrom('checks')
      .select('id')
      .where('wake_at', '<=', now)
      .$if(except.length > 0, query => query.where('id', 'not in', except))
      .orderBy('wake_at')
      .limit(FOUND)
      .execute()
    return rows.map(({ id }) => id)
  },
)

/**
 * Judges the deadlines of woken checks, taking projects in turn, those after the project `after` first, as many as have up to `limit`
 * deliveries in all. One check may have more.
 * Flips and deliveries are written in the same transaction; checks whose deadline has not passed are set to wake at
 * it. Deadlines are judged as of the instant until which every ping that reached any process is on disk, so that a
 * ping that waits or was refused can still arrive. `own`: the process that asks, if it accepts pings. Deadlines
 * within an outage of Punctual wait for the end of its hold, and a check waits while another transaction has locked
 * what its alerts need. `among`: which checks are judged; default all.
 */
export const declareDown = announcedWrite(
  async (
    db: Db,
    now: number,
    limit: number,
    own: OwnHearing | null = null,
    after = 0,
    among: Among = {},
  ): Promise<DeclaredDown> => {
    // Read before the checks, so that everything a beat says is on disk is visible.
    const judging = await judgingAt(db, now, own)
    const { heardUntil } = judging
    const again = heardUntil + JUDGE_AGAIN_MS
    const { woken, ...left } = await nextWoken(db, heardUntil, { limit, after, among })
    const result: DeclaredDown = {
      declared: 0,
      ...left,
      alerts: false,
      checks: false,
      errors: [],
      heardUntil,
    }
    if (woken.length === 0) return result
    const waived = await waivedFor(db, woken, heardUntil)
    const changed: LoadedCheck[] = []
    const flips: NewFlip[] = []
    const passed: NewPassedDeadline[] = []
    for (const check of woken) {
      const deadline = nextDeadlineAt(check)
      const { heardUntil: heard, hold, heldUntil } = judging.of(check)
      try {
        if (deadline === null || deadline > heard) {
          // Recomputed: a clock that was set back has changed what it is based on (repair-after-clock-set-back.ts).
          const ahead = withDeadlines(check)
          const next = nextDeadlineAt(ahead)
          // While pings of its part cannot be recorded, it does not keep others from being judged.
          const waits = next !== null && next <= heardUntil
          changed.push({ ...ahead, wakeAt: waits ? again : next })
        } else {
          const judged = stateAfterDeadlines(check, heard, hold, waived.get(check.id))
          const next = nextDeadlineAt(judged.state)
          const waitsUntil = next !== null && next <= heard ? heldUntil(next) : null
          changed.push({ ...check, ...judged.state, wakeAt: waitsUntil ?? next })
          for (const flip of judged.flips) flips.push({ checkId: check.id, flip })
          for (const one of judged.passed) passed.push({ checkId: check.id, deadline: one })
        }
      } catch (error) {
        changed.push({ ...check, wakeAt: now + POSTPONE_MS })
        result.errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      }
    }
    const flipped = new Set(flips.map(({ checkId }) => checkId))
    const waiting = await lockTargetsOf(
      db,
      woken.filter(({ id }) => flipped.has(id)),
    )
    const isFree = ({ checkId }: { checkId: number }) => !waiting.has(checkId)
    const states = changed.map((check, place) =>
      waiting.has(check.id) ? { ...woken[place]!, wakeAt: again } : check,
    )
    if (states.every(({ wakeAt }) => wakeAt === again)) {
      // Else very many that wait would be looked at without a pause: the first are due again before the last was looked at.
      result.more = false
      result.unfinished = []
    }
    const ids = idsOf(states)
    await db.dialect.saveStates(states, { wakeAt: ids, tracking: ids })
    await insertPassedDeadlines(db, passed.filter(isFree))
    const stored = flips.filter(isFree)
    result.declared = stored.filter(({ flip }) => flip.newStatus === 'down').length
    result.checks = result.declared > 0
    result.alerts = await insertFlips(db, stored, now)
    return result
  },
)

/** The number of checks whose channels are counted per query. */
const COUNTED_AT_ONCE = 32

/** At least as many woken checks are looked at, because a few with very many channels may be all that a transaction has time for. */
const LOOKED_AT = 200

/**
 * The woken checks whose turn it is, and whether there are more. If very many are woken, the latest are included too,
 * so that a check does not wait behind all that were woken before it. The first check counts for nothing if it has too many channels, so
 * that those with few wait for none with many, nor these for them.
 */
async function nextWoken(
  db: Db,
  heardUntil: number,
  { limit, after, among }: { limit: number; after: number; among: Among },
): Promise<Pick<DeclaredDown, 'more' | 'unfinished' | 'after'> & { woken: LoadedCheck[] }> {
  const half = Math.ceil(Math.max(limit, LOOKED_AT) / 2)
  const woken = new Map<number, LoadedCheck>()
  for (const which of ['earliest', 'latest'] as const) {
    if (which === 'latest' && woken.size < half) break
    const found = await db.dialect.loadWoken(heardUntil, half, which, {
      ...among,
      except: [...(among.except ?? []), ...woken.keys()],
    })
    for (const check of found) woken.set(check.id, check)
  }
  const turns = inTurn([...woken.values()], after)
  const next: LoadedCheck[] = []
  const left = new Set<number>()
  let deliveries = 0
  for (const some of chunks(turns, COUNTED_AT_ONCE)) {
    const open = some.filter(({ projectId }) => !left.has(projectId))
    const targets = await countTargets(db, open)
    for (const check of open) {
      if (left.has(check.projectId)) continue
      const count = Math.max(1, targets.get(check.id) ?? 0)
      if (next.length > 0 && deliveries + count > limit) left.add(check.projectId)
      else {
        deliveries += count > limit ? 0 : count
        next.push(check)
      }
    }
  }
  const isFull = woken.size === 2 * half
  // Almost certainly those that were not looked at belong to the project with the most.
  if (isFull) left.add(turns.at(-1)!.projectId)
  return {
    woken: next,
    more: left.size > 0,
    unfinished: [...left],
    after: left.size > 0 ? (next[0]?.projectId ?? 0) : 0,
  }
}

/** The checks of projects in turn, those after the project `after`, by ID, first. */
function inTurn(checks: readonly LoadedCheck[], after: number): LoadedCheck[] {
  const place = ({ projectId }: LoadedCheck) => (projectId > after ? 0 : 1)
  const byProject = checks.toSorted((a, b) => place(a) - place(b) || a.projectId - b.projectId)
  return roundRobin(byProject, ({ projectId }) => projectId)
}
