/** Reads the pings and flips for strips of runs. */
import type { Flip } from '../../../core/checks/flip.js'
import { type Run, type RunEvent, runsOf } from '../../../core/checks/history/run-strip.js'
import type { Action } from '../../../core/pings/ping-event.js'
import { appendTo } from '../../../lib/append-to.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { FLIP_COLUMNS, toFlip } from './flip-rows.js'

/** The number of bars in a strip. */
const STRIP_RUNS = 30

/** A run writes two rows, its start and its end, and sometimes a log. */
const STRIP_PINGS = 75

/**
 * The last runs of each of `checks`, oldest first. A ping's number tells how far back it is, so one range of one
 * index is read for each check.
 */
export async function stripsOf(
  db: Db,
  checks: readonly { id: number; runningSince: number | null }[],
): Promise<Map<number, Run[]>> {
  const strips = new Map<number, Run[]>()
  for (const some of chunks(checks, db.dialect.maxParameters - 10)) {
    const ids = some.map(check => check.id)
    const pings = await pingEvents(db, ids)
    const flips = await silentFlips(db, ids)
    for (const { id, runningSince } of some) {
      strips.set(id, runsOf(pings.get(id) ?? [], flips.get(id) ?? [], runningSince, STRIP_RUNS))
    }
  }
  return strips
}

async function pingEvents(db: Db, ids: readonly number[]): Promise<Map<number, RunEvent[]>> {
  const query = db.sql
    .selectFrom('checks as c')
    .innerJoin('pings as p', join =>
      join.onRef('p.check_id', '=', 'c.id').on(eb => eb('p.n', '>', eb('c.n_pings', '-', STRIP_PINGS))),
    )
    .select([
      'p.check_id',
      'p.n',
      'p.created_at',
      'p.kind',
      'p.rid',
      'p.exit_status',
      'p.duration',
      'p.ran_at',
    ])
    .where('c.id', 'in', [...ids])
    .orderBy('p.check_id')
    .orderBy('p.n')
    .compile()
  // A page of the list has thousands: as arrays they take half of the time.
  const rows = (await db.dialect.arrays(query.sql, query.parameters)) as PingRow[]
  const byCheck = new Map<number, RunEvent[]>()
  for (const [checkId, n, at, action, rid, exitStatus, durationMs, ranAt] of rows) {
    appendTo(byCheck, checkId, { n, at, action, rid, exitStatus, durationMs, ranAt })
  }
  return byCheck
}

type PingRow = [
  checkId: number,
  n: number,
  at: number,
  action: Action,
  rid: string | null,
  exitStatus: number | null,
  durationMs: number | null,
  ranAt: number | null,
]

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
