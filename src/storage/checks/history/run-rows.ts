/** Reads the pings and flips for strips of runs. */
import type { Flip } from '../../../core/checks/flip.js'
import { type Run, runsOf } from '../../../core/checks/history/run-strip.js'
import { appendTo } from '../../../lib/append-to.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { recentPings } from '../../pings/recent-pings.js'
import { FLIP_COLUMNS, toFlip } from './flip-rows.js'

/** The number of bars in a strip. */
const STRIP_RUNS = 30

/** A run writes two rows, its start and its end, and sometimes a log. */
const STRIP_PINGS = 75

/** The last runs of each of `checks`, oldest first. */
export async function stripsOf(
  db: Db,
  checks: readonly { id: number; nPings: number; runningSince: number | null }[],
): Promise<Map<number, Run[]>> {
  const strips = new Map<number, Run[]>()
  for (const some of chunks(checks, db.dialect.maxParameters - 10)) {
    const ids = some.map(check => check.id)
    const pings = await recentPings(db, some, STRIP_PINGS)
    const flips = await silentFlips(db, ids)
    for (const { id, runningSince } of some) {
      strips.set(id, runsOf(pings.get(id) ?? [], flips.get(id) ?? [], runningSince, STRIP_RUNS))
    }
  }
  return strips
}

async function silentFlips(db: Db, ids: readonly number[]): Promise<Map<number, Flip[]>> {
  const rows = await db.sql
    .selectFrom('flips')
    .select(['check_id as checkId', ...FLIP_COLUMNS])
    .where('check_id', 'in', [...ids])
    .where('reason', 'in', ['missed', 'overrun'])
    .orderBy('check_id')
    .orderBy('id')
    .execute()
  const byCheck = new Map<number, Flip[]>()
  for (const row of rows) appendTo(byCheck, row.checkId, toFlip(row))
  return byCheck
}
