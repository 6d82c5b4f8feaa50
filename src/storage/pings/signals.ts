/** The pings that begin or end a run, with what runs are made of. */
import type { Kysely } from 'kysely'
import type { Cause } from '../../core/checks/health/cause.js'
import type { Action } from '../../core/pings/ping-event.js'
import type { LoggedEvent } from '../../core/pings/run-ledger.js'
import type { Part } from '../../core/pings/run-reach.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'
import type { Tables } from '../tables.js'
import { type LoggedCheck, recentPings } from './recent-pings.js'

/** A query for these pings of a check, for {@link toEvent}. */
export function selectSignals(sql: Kysely<Tables>, checkId: number) {
  return sql
    .selectFrom('pings')
    .select(['n', 'created_at as at', 'ran_at as ranAt', 'kind', 'rid', 'cause'])
    .select(['exit_status as exitStatus', 'duration as durationMs'])
    .where('check_id', '=', checkId)
    .where('kind', 'in', ['start', 'success', 'fail'])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectSignals>['execute']>>[number]

/** The ping in a row. A copy of the row without some members would take ten times as long. */
export function toEvent(row: Row): LoggedEvent {
  return {
    n: row.n,
    at: row.at,
    ranAt: row.ranAt,
    action: row.kind as Action,
    rid: row.rid,
    cause: row.cause as Cause | null,
    exitStatus: row.exitStatus,
    durationMs: row.durationMs,
  }
}

/** The signals with numbers in `part` of a check's log: at most `count`, in order, from its beginning or from its end. */
export async function readSignals(
  db: Db,
  check: LoggedCheck,
  part: Part,
  from: 'beginning' | 'end',
  count: number,
): Promise<LoggedEvent[]> {
  const known = db.kept ? await recentSignals(db, check, part, from, count) : null
  if (known) return known
  const query = from === 'end' ? newestSignals : oldestSignals
  const rows = await query.all(db, { checkId: check.id, ...part, count })
  const events = rows.map(toEvent)
  return from === 'end' ? events.reverse() : events
}

/** The number of pings in which nearly every page of a check finds what it shows. */
const RECENT = 400

/** The same from the newest pings; null if they are not enough. */
async function recentSignals(
  db: Db,
  check: LoggedCheck,
  part: Part,
  from: 'beginning' | 'end',
  count: number,
): Promise<LoggedEvent[] | null> {
  const recent = (await recentPings(db, [check], RECENT)).get(check.id)!
  const first = check.nPings - Math.min(RECENT, db.settings.pingLogLimit) + 1
  const signals = recent.filter(
    ({ n, action }) => n >= part.from && n < part.to && action !== 'log' && action !== 'ign',
  )
  if (from === 'end' && signals.length >= count) return signals.slice(-count)
  return first <= part.from ? signals.slice(0, count) : null
}

const signals = (order: 'asc' | 'desc') =>
  prepared((sql, value: { checkId: number; from: number; to: number; count: number }) =>
    selectSignals(sql, value.checkId)
      .where('n', '>=', value.from)
      .where('n', '<', value.to)
      .orderBy('n', order)
      .limit(value.count),
  )
const [oldestSignals, newestSignals] = [signals('asc'), signals('desc')]
