/** Reads the starts and ends of runs for the lanes of many checks. */
import { type Kysely, sql as raw } from 'kysely'
import type { Cause } from '../../../core/checks/health/cause.js'
import type { Action } from '../../../core/pings/ping-event.js'
import type { LoggedEvent } from '../../../core/pings/run-ledger.js'
import type { Span } from '../../../core/time/spans.js'
import { appendTo } from '../../../lib/append-to.js'
import type { Db } from '../../db.js'
import { preparedList } from '../../prepared.js'
import type { Tables } from '../../tables.js'
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
  const events: Events = new Map()
  await readEvents(
    db,
    quiet.map(one => ({ ...one, from: one.from - BEFORE })),
    events,
  )
  await readFailures(db, busy, events)
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
  const isOpen = range.to > now
  const sought = [range.from, ...(isOpen ? [] : [range.to])]
  const found = await firstSince(
    db,
    logs.flatMap(log => sought.map(instant => ({ ...log, instant }))),
  )
  return logs
    .map((log, index) => ({
      id: log.id,
      from: found[index * sought.length]!,
      to: isOpen ? log.to : found[index * sought.length + 1]!,
    }))
    .filter(({ from, to }) => from < to)
}

type Events = Map<number, LoggedEvent[]>

async function readEvents(db: Db, parts: readonly Numbers[], events: Events): Promise<void> {
  for (const row of await startsAndEnds.arrays(db, {}, parts.map(toItem))) addTo(events, row)
}

/** The first {@link MOST_FAILURES} failures of each check. */
async function readFailures(db: Db, parts: readonly Numbers[], events: Events): Promise<void> {
  for (const row of await failures.arrays(db, {}, parts.map(toItem))) addTo(events, row)
}

interface Item extends Record<string, number> {
  id: number
  low: number
  high: number
}

const toItem = ({ id, from, to }: Numbers): Item => ({ id, low: from, high: to })

const startsAndEnds = preparedList((sql, _: Record<string, never>, items: Item[]) =>
  selectEvents(sql, items, ['start', 'success', 'fail']).orderBy('p.check_id').orderBy('p.n'),
)

const failures = preparedList((sql, _: Record<string, never>, items: Item[]) =>
  sql
    .selectFrom(
      selectEvents(sql, items, ['fail'])
        .select(raw<number>`row_number() OVER (PARTITION BY p.check_id ORDER BY p.n)`.as('place'))
        .as('f'),
    )
    .select(['id', 'n', 'at', 'kind', 'rid', 'cause', 'exitStatus', 'durationMs', 'ranAt'])
    .where('place', '<=', MOST_FAILURES)
    .orderBy('id')
    .orderBy('n'),
)

function selectEvents(sql: Kysely<Tables>, items: readonly Item[], kinds: Action[]) {
  return sql
    .with('asked(id, low, high)', () => valuesOf(items.map(({ id, low, high }) => [id, low, high])))
    .selectFrom('asked as a')
    .crossJoin('pings as p')
    .whereRef('p.check_id', '=', 'a.id')
    .whereRef('p.n', '>=', 'a.low')
    .whereRef('p.n', '<', 'a.high')
    .where('p.kind', 'in', kinds)
    .select(['p.check_id as id', 'p.n', 'p.created_at as at', 'p.kind', 'p.rid', 'p.cause'])
    .select(['p.exit_status as exitStatus', 'p.duration as durationMs', 'p.ran_at as ranAt'])
}

/** Adds the event of a row, whose columns are those of {@link selectEvents}. */
function addTo(events: Events, row: readonly unknown[]): void {
  appendTo(events, row[0] as number, {
    n: row[1] as number,
    at: row[2] as number,
    action: row[3] as Action,
    rid: row[4] as string | null,
    cause: row[5] as Cause | null,
    exitStatus: row[6] as number | null,
    durationMs: row[7] as number | null,
    ranAt: row[8] as number | null,
  })
}
