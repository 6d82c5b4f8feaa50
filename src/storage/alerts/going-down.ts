/** Silence: the checks whose deadline has passed, found by one indexed question. */

import { stateAfterDeadlines } from '../../core/checks/health/judge.js'
import { nextDeadlineAt, withDeadlines } from '../../core/checks/health/settle.js'
import { isHeld } from '../../core/instance/outage.js'
import { roundRobin } from '../../lib/round-robin.js'
import { countTargets, insertFlips, type NewFlip } from '../checks/flips.js'
import { insertPassedDeadlines, type NewPassedDeadline } from '../checks/passed-deadlines.js'
import { idsOf } from '../checks/states.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import type { LoadedCheck } from '../dialect.js'
import { heardAndHold } from '../instance/outages.js'
import { poll, write } from '../method.js'

export interface DeclaredDown {
  /** How many checks went down. */
  declared: number
  /** Whether more woken checks are waiting. */
  more: boolean
  /** The projects of those of them that were found. */
  unfinished: number[]
  /** Whether a delivery was born. */
  alerts: boolean
  /** What the rules threw, for the log. */
  errors: string[]
  /** The instant (ms) before which every ping is on disk: later deadlines were not looked at. */
  heardUntil: number
}

/** How long a check that the rules trip over is left alone. */
const POSTPONE_MS = 60_000

/** The earliest instant (ms) at which some check may have to go down, or null. */
export const nextWake = poll(async (db: Db): Promise<number | null> => {
  const row = await db.sql
    .selectFrom('checks')
    .select('wake_at')
    .where('wake_at', 'is not', null)
    .orderBy('wake_at')
    .limit(1)
    .executeTakeFirst()
  return row?.wake_at ?? null
})

/**
 * Looks at checks that are woken, as many as have up to `limit` deliveries in all, their projects in turns: the
 * deadlines that have passed are judged, with flips and deliveries in the same transaction; the others are set to wake at
 * their true deadline. It judges as of the instant until which every ping is on disk that reached any process (`own`: the one that
 * asks, where it takes pings), so that a ping that is refused or waits counts as not yet heard. Deadlines that fell into an
 * outage of Punctual wait for the end of its hold.
 */
export const declareDown = write(
  async (
    db: Db,
    now: number,
    limit: number,
    own: { process: string; heardUntil: number } | null = null,
  ): Promise<DeclaredDown> => {
    // Before the checks: whatever a beat says is on disk is seen then.
    const { heardUntil, hold } = await heardAndHold(db, now, own)
    const { woken, more, unfinished } = await nextWoken(db, heardUntil, limit)
    const result: DeclaredDown = { declared: 0, more, unfinished, alerts: false, errors: [], heardUntil }
    if (woken.length === 0) return result
    const changed: LoadedCheck[] = []
    const flips: NewFlip[] = []
    const passed: NewPassedDeadline[] = []
    for (const check of woken) {
      const deadline = nextDeadlineAt(check)
      try {
        if (deadline === null || deadline > heardUntil) {
          // Computed anew: a clock that was set back has changed what it counts from (repair-after-clock-set-back.ts).
          const ahead = withDeadlines(check)
          changed.push({ ...ahead, wakeAt: nextDeadlineAt(ahead) })
        } else {
          const after = stateAfterDeadlines(check, heardUntil, hold)
          const next = nextDeadlineAt(after.state)
          const waits = next !== null && next <= heardUntil && isHeld(next, heardUntil, hold)
          changed.push({ ...check, ...after.state, wakeAt: waits ? hold!.until : next })
          for (const flip of after.flips) flips.push({ checkId: check.id, flip })
          for (const one of after.passed) passed.push({ checkId: check.id, deadline: one })
        }
      } catch (error) {
        changed.push({ ...check, wakeAt: now + POSTPONE_MS })
        result.errors.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      }
    }
    const ids = idsOf(changed)
    await db.dialect.saveStates(changed, { wakeAt: ids, tracking: ids })
    await insertPassedDeadlines(db, passed)
    result.declared = flips.filter(({ flip }) => flip.newStatus === 'down').length
    result.alerts = await insertFlips(db, flips, now)
    return result
  },
)

/** How many checks are asked at once how many channels they have. */
const COUNTED_AT_ONCE = 32

/**
 * The woken checks whose turn it is, and whether there are more. Where very many are woken the latest are looked at too,
 * so that a check does not wait behind all that were woken before it.
 */
async function nextWoken(
  db: Db,
  heardUntil: number,
  limit: number,
): Promise<{ woken: LoadedCheck[]; more: boolean; unfinished: number[] }> {
  const half = Math.ceil(limit / 2)
  const woken = new Map<number, LoadedCheck>()
  for (const which of ['earliest', 'latest'] as const) {
    if (which === 'latest' && woken.size < half) break
    const found = await db.dialect.loadWoken(heardUntil, half, which, [...woken.keys()])
    for (const check of found) woken.set(check.id, check)
  }
  const turns = roundRobin([...woken.values()], ({ projectId }) => projectId)
  const next: LoadedCheck[] = []
  let deliveries = 0
  for (const some of chunks(turns, COUNTED_AT_ONCE)) {
    const targets = await countTargets(
      db,
      some.map(({ id }) => id),
    )
    for (const check of some) {
      deliveries += Math.max(1, targets.get(check.id) ?? 0)
      if (next.length > 0 && deliveries > limit) {
        const others = new Set(turns.slice(next.length).map(({ projectId }) => projectId))
        return { woken: next, more: true, unfinished: [...others] }
      }
      next.push(check)
    }
  }
  const more = woken.size === 2 * half
  // As good as certainly: the others are of the project that has most.
  return { woken: next, more, unfinished: more ? turns.slice(-1).map(({ projectId }) => projectId) : [] }
}
