/** Reads the starts and ends of runs for the lanes of many checks. */
import type { Cause } from '../../../core/checks/health/cause.js'
import type { Action } from '../../../core/pings/ping-event.js'
import type { LoggedEvent } from '../../../core/pings/run-ledger.js'
import type { Span } from '../../../core/time/spans.js'
import { appendTo } from '../../../lib/append-to.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { firstSince, type Numbers, valuesOf } from './pings-between.js'

/** The maximum number of pings that are read: of one check, and of all. Checks with more have only their failures. */
const MOST_OF_CHECK = 2_000
const MOST = 40_000
/** The maximum number of failures that are read of such a check. */
const MOST_FAILURES = 200
/** The number of pings before the range in which the start of a run is looked for. */
const BEFORE = 6

export interface LanePings {
  pings: LoggedEvent[]
  /** The number of pings in the range. */
  count: number
  isBusy: boolean
}

export interface LoggedCheck {
  id: number
  nPings: number
  lastPing: number | null
  lastStart: number | null
}

/** The pings of each check within `range` (ms), and some before it, as known at `now`. */
export async function pingsOfLanes(
  db: Db,
  checks: readonly LoggedCheck[],
  when: { range: Span; now: number },
): Promise<Map<number, LanePings>> {
  const found = await numbersWithin(db, checks, when)
  const quiet: Numbers[] = []
  const busy: Numbers[] = []
  let left = MOST
  for (const one of found.toSorted((a, b) => a.to - a.from - (b.to - b.from))) {
    const count = one.to - one.from
    left -= count
    ;(count <= MOST_OF_CHECK && left >= 0 ? quiet : busy).push(one)
  }
  const events = new Map<number, LoggedEvent[]>()
  await readEvents(
    db,
    quiet.map(one => ({ ...one, from: one.from - BEFORE })),
    events,
  )
  for (const one of busy) await readFailures(db, one, events)
  const lane =
    (isBusy: boolean) =>
    (one: Numbers): [number, LanePings] => [
      one.id,
      { pings: events.get(one.id) ?? [], count: one.to - one.from, isBusy },
    ]
  return new Map([...quiet.map(lane(false)), ...busy.map(lane(true))])
}

/** The numbers of the pings within `range`, of the checks that have some. */
async function numbersWithin(
  db: Db,
  checks: readonly LoggedCheck[],
  { range, now }: { range: Span; now: number },
): Promise<Numbers[]> {
  const logs = checks
    .filter(({ lastPing, lastStart }) => Math.max(lastPing ?? 0, lastStart ?? 0) >= range.from)
    .map(({ id, nPings }) => ({
      id,
      from: Math.max(1, nPings - db.settings.pingLogLimit + 1),
      to: nPings + 1,
    }))
  const firsts = await firstSince(db, logs, range.from)
  const begun = logs.map(log => ({ ...log, from: firsts.get(log.id)! }))
  const ends = range.to > now ? null : await firstSince(db, begun, range.to)
  return begun.map(log => ({ ...log, to: ends?.get(log.id) ?? log.to })).filter(({ from, to }) => from < to)
}

async function readEvents(
  db: Db,
  parts: readonly Numbers[],
  events: Map<number, LoggedEvent[]>,
): Promise<void> {
  for (const some of chunks(parts, Math.floor((db.dialect.maxParameters - 10) / 3))) {
    const rows = await db.sql
      .with('asked(id, low, high)', () => valuesOf(some.map(({ id, from, to }) => [id, from, to])))
      .selectFrom('asked as a')
      .innerJoin('pings as p', join =>
        join
          .onRef('p.check_id', '=', 'a.id')
          .onRef('p.n', '>=', 'a.low')
          .onRef('p.n', '<', 'a.high')
          .on('p.kind', 'in', ['start', 'success', 'fail']),
      )
      .select(COLUMNS)
      .orderBy('p.check_id')
      .orderBy('p.n')
      .execute()
    for (const { id, ...row } of rows) appendTo(events, id, toEvent(row))
  }
}

async function readFailures(
  db: Db,
  { id, from, to }: Numbers,
  events: Map<number, LoggedEvent[]>,
): Promise<void> {
  const rows = await db.sql
    .selectFrom('pings as p')
    .select(COLUMNS)
    .where('p.check_id', '=', id)
    .where('p.n', '>=', from)
    .where('p.n', '<', to)
    .where('p.kind', '=', 'fail')
    .orderBy('p.n')
    .limit(MOST_FAILURES)
    .execute()
  for (const { id, ...row } of rows) appendTo(events, id, toEvent(row))
}

const COLUMNS = [
  'p.check_id as id',
  'p.n',
  'p.created_at as at',
  'p.kind',
  'p.rid',
  'p.cause',
  'p.exit_status as exitStatus',
  'p.duration as durationMs',
] as const

function toEvent({
  kind,
  cause,
  ...row
}: {
  n: number
  at: number
  kind: string
  rid: string | null
  cause: string | null
  exitStatus: number | null
  durationMs: number | null
}): LoggedEvent {
  return { ...row, action: kind as Action, cause: cause as Cause | null }
}
