/** After a hold was cut, what waits for its end is judged again, a slice in each transaction. Decisions 0104 and 0155. */
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../db.js'
import { lockedOf, skippingLocked } from '../locks.js'
import { costlyWrite } from '../method.js'

/** What waits for a hold that was cut is due after `from`, when the hold that replaced it ends, and no later than `until` (ms). */
export interface CutHold {
  from: number
  until: number
}

export interface WokenAfterCut {
  /** What is left; null: nothing, but for what another transaction has locked. */
  left: CutHold | null
  alerts: boolean
  checks: false
  wakeAt: number | null
}

/** How many checks, and how many alerts, are made due together. */
const AT_ONCE = 1_000

/**
 * Lets deadlines and alerts that wait for a hold that was cut be judged at `now`, when no stored hold ends.
 * Those that wait for the end itself, which very many have in common, come first. `atOnce`: how many at most.
 */
export const wakeAfterCut = costlyWrite(
  async (db: Db, now: number, cut: CutHold, atOnce: number = AT_ONCE): Promise<WokenAfterCut> => {
    const ends = await endsOfHolds(db, cut)
    const checks = await waitingChecks(db, cut, ends, atOnce)
    const free = await lockedOf(db, idsOf(checks), some =>
      skippingLocked(
        db,
        db.sql
          .selectFrom('checks')
          .select('id')
          .where('id', 'in', some)
          .where('wake_at', '>', cut.from)
          .where(waits)
          .orderBy('id'),
      ),
    )
    if (free.length > 0)
      await db.sql.updateTable('checks').set({ wake_at: now }).where('id', 'in', idsOf(free)).execute()
    const alerts = await skippingLocked(db, waitingAlerts(db, cut, ends, atOnce)).execute()
    if (alerts.length > 0)
      await db.sql.updateTable('deliveries').set({ due_at: now }).where('id', 'in', idsOf(alerts)).execute()
    // If nothing could be done, it is all locked.
    const found = free.length + alerts.length > 0 ? [checks, alerts] : []
    const reached = found.flatMap(rows => (rows.length === atOnce ? rows.at(-1)!.at : []))
    return {
      left: reached.length > 0 ? { ...cut, until: Math.max(...reached) } : null,
      alerts: alerts.length > 0,
      checks: false,
      wakeAt: free.length > 0 ? now : null,
    }
  },
)

/** Whether a deadline of a check has passed that waits: it wakes later. One that is only counted is in its tracking. */
const waits = sql<SqlBool>`(
  wake_at > alert_after OR
  (alert_after IS NULL AND tracking LIKE '%"countAt":1%' AND tracking NOT LIKE '%"countAt":' || wake_at || '%')
)`

/** Rarely are there more; what waits for those is judged more often than necessary. */
const MOST_ENDS = 500

/** When stored holds end, in that time: what waits until then need not be woken. */
async function endsOfHolds(db: Db, { from, until }: CutHold): Promise<number[]> {
  const rows = await db.sql
    .selectFrom('outages')
    .select('hold_until')
    .distinct()
    .where('hold_until', '>', from)
    .where('hold_until', '<=', until)
    .limit(MOST_ENDS)
    .execute()
  return rows.map(row => row.hold_until)
}

async function waitingChecks(db: Db, { from, until }: CutHold, ends: readonly number[], atOnce: number) {
  return await db.sql
    .selectFrom('checks')
    .select(['id', 'wake_at as at'])
    .where('wake_at', '>', from)
    .where('wake_at', '<=', until)
    .$if(ends.length > 0, query => query.where('wake_at', 'not in', ends))
    .where(waits)
    .orderBy('wake_at', 'desc')
    .limit(atOnce)
    .$narrowType<{ at: number }>()
    .execute()
}

function waitingAlerts(db: Db, { from, until }: CutHold, ends: readonly number[], atOnce: number) {
  return db.sql
    .selectFrom('deliveries')
    .select(['id', 'due_at as at'])
    .where('due_at', '>', from)
    .where('due_at', '<=', until)
    .$if(ends.length > 0, query => query.where('due_at', 'not in', ends))
    .where('held_by', '=', 'outage')
    .where('claimed_by', 'is', null)
    .orderBy('due_at', 'desc')
    .limit(atOnce)
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id)
}
