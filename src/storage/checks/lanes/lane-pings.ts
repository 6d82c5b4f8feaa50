/** Reads the starts and ends of runs for the lanes of many checks. */
import { type Kysely, sql as raw } from 'kysely'
import { tracksEachRun } from '../../../core/checks/health/rules.js'
import type { Action } from '../../../core/pings/ping-event.js'
import { type LoggedEvent, pairedRuns } from '../../../core/pings/run-ledger.js'
import type { Span } from '../../../core/time/spans.js'
import { appendTo } from '../../../lib/append-to.js'
import type { Db } from '../../db.js'
import type { PairedRuns } from '../../kept.js'
import { EVENT_COLUMNS, eventOf } from '../../pings/logged-event.js'
import { preparedList } from '../../prepared.js'
import type { Tables } from '../../tables.js'
import type { LaneRow } from '../rows/check-rows.js'
import { keepLanes, keptLanes } from './kept-lanes.js'
import { firstSince, type Numbers, valuesOf } from './pings-between.js'

/** The maximum number of pings that are read: of one check, and of all. Checks with more have only their failures. */
const MOST_OF_CHECK = 2_000
const MOST = 40_000
/** The maximum number of failures that are read of such a check. */
const MOST_FAILURES = 200
/** The number of pings before the range in which the start of a run is looked for. */
const BEFORE = 6

export interface LanePings {
  runs: PairedRuns
  /** The number of pings in the range. */
  count: number
  isBusy: boolean
}

type LoggedCheck = Pick<LaneRow, 'id' | 'nPings' | 'lastPing' | 'lastStart'> &
  Parameters<typeof tracksEachRun>[0]

/** The runs of each check within `range` (ms), and some before it, as known at `now`. */
export async function pingsOfLanes(
  db: Db,
  checks: readonly LoggedCheck[],
  { range, now }: { range: Span; now: number },
): Promise<Map<number, LanePings>> {
  const logs = checks
    .filter(({ lastPing, lastStart }) => Math.max(lastPing ?? 0, lastStart ?? 0) >= range.from)
    .map(check => ({ ...partOf(db, check), each: tracksEachRun(check) }))
  const kept = await keptLanes(db, logs, range)
  const others = logs.filter(({ id }) => !kept.has(id))
  const found = [...kept.values(), ...(await numbersWithin(db, others, { range, now }))]
  const quiet = new Map<number, Numbers>()
  const busy: Numbers[] = []
  let left = MOST
  for (const one of found.toSorted((a, b) => a.to - a.from - (b.to - b.from))) {
    const count = one.to - one.from
    left -= count
    if (count <= MOST_OF_CHECK && left >= 0) quiet.set(one.id, one)
    else busy.push(one)
  }
  const read = others.flatMap(log => {
    const { from, to } = quiet.get(log.id) ?? { from: 0, to: 0 }
    return to === 0 ? [] : [{ log, from, to, first: Math.max(log.from, from - BEFORE) }]
  })
  const events = await eventsOf(
    db,
    startsAndEnds,
    read.filter(({ from, to }) => from < to).map(({ log, first, to }) => ({ id: log.id, from: first, to })),
  )
  const fresh = read.map(({ log, ...part }) => {
    const runs = { paired: pairedRuns(events.get(log.id) ?? [], log.each) }
    return { id: log.id, ...part, runs, each: log.each, end: log.to }
  })
  await keepLanes(db, fresh, range)
  const failed = await eventsOf(db, failures, busy)
  const each = new Map(logs.map(log => [log.id, log.each]))
  const lanes = new Map<number, LanePings>()
  for (const { id, runs } of [...kept.values(), ...fresh]) {
    const one = quiet.get(id)
    if (one && one.from < one.to) lanes.set(id, { runs, count: one.to - one.from, isBusy: false })
  }
  for (const { id, from, to } of busy) {
    const runs = { paired: pairedRuns(failed.get(id) ?? [], each.get(id)!) }
    lanes.set(id, { runs, count: to - from, isBusy: true })
  }
  return lanes
}

/** The numbers of the stored pings of a check. */
function partOf(db: Db, { id, nPings }: LoggedCheck): Numbers {
  return { id, from: Math.max(1, nPings - db.settings.pingLogLimit + 1), to: nPings + 1 }
}

/** The numbers of the pings of each log within `range`. */
async function numbersWithin(
  db: Db,
  logs: readonly Numbers[],
  { range, now }: { range: Span; now: number },
): Promise<Numbers[]> {
  const isOpen = range.to > now
  const sought = [range.from, ...(isOpen ? [] : [range.to])]
  const found = await firstSince(
    db,
    logs.flatMap(log => sought.map(instant => ({ ...log, instant }))),
  )
  return logs.map((log, index) => ({
    id: log.id,
    from: found[index * sought.length]!,
    to: isOpen ? log.to : found[index * sought.length + 1]!,
  }))
}

/** The events that a statement finds in parts of logs, by the ID of the check. */
async function eventsOf(
  db: Db,
  statement: typeof startsAndEnds | typeof failures,
  parts: readonly Numbers[],
): Promise<Map<number, LoggedEvent[]>> {
  const events = new Map<number, LoggedEvent[]>()
  for (const row of await statement.arrays(db, {}, parts.map(toItem)))
    appendTo(events, row[0] as number, eventOf(row))
  return events
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

/** The first {@link MOST_FAILURES} failures of each check. */
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
    .select(EVENT_COLUMNS)
}
