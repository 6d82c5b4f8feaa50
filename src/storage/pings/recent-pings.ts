/** The newest pings of checks. The thread that reads keeps those that it has read, because most views read them again. */
import type { LoggedEvent } from '../../core/pings/run-ledger.js'
import { appendTo } from '../../lib/append-to.js'
import { valuesOf } from '../checks/lanes/pings-between.js'
import type { Db } from '../db.js'
import type { KeptLog } from '../kept.js'
import { preparedList } from '../prepared.js'
import { EVENT_COLUMNS, eventOf } from './logged-event.js'
import { storedCounts } from './stored-counts.js'

/** The most pings that are kept of one check. */
const MOST_OF_CHECK = 500

/** A check whose pings are read, as it is in the transaction that reads them. */
export interface LoggedCheck {
  id: number
  nPings: number
}

/** The stored ones of the last `count` pings of each check, oldest first, by the ID of the check. */
export async function recentPings(
  db: Db,
  checks: readonly LoggedCheck[],
  count: number,
): Promise<Map<number, readonly LoggedEvent[]>> {
  const most = Math.min(count, db.settings.pingLogLimit)
  const asked = checks.map(check => ({ ...check, after: Math.max(0, check.nPings - most) }))
  const kept = await stillTrue(db, asked)
  const newer = await pingsAfter(
    db,
    asked.map(({ id, after, nPings }) => ({ id, nPings, after: kept.get(id)?.pings.at(-1)?.n ?? after })),
  )
  const found = new Map<number, readonly LoggedEvent[]>()
  for (const { id, after } of asked) {
    const [old, added] = [kept.get(id), newer.get(id)]
    let log: KeptLog = old ?? { after, pings: [] }
    if (added) log = { ...log, pings: [...log.pings, ...added] }
    if (log.pings.length > 0) db.kept?.pings.put(id, shortened(log))
    found.set(id, log.after === after ? log.pings : log.pings.filter(({ n }) => n > after))
  }
  return found
}

function shortened({ after, pings }: KeptLog): KeptLog {
  if (pings.length <= MOST_OF_CHECK) return { after, pings }
  const last = pings.slice(-MOST_OF_CHECK)
  return { after: last[0]!.n - 1, pings: last }
}

/** The kept logs that reach back as far as is asked, and are as they are stored. */
async function stillTrue(
  db: Db,
  asked: readonly { id: number; after: number }[],
): Promise<Map<number, KeptLog>> {
  const logs = new Map<number, KeptLog>()
  for (const { id, after } of asked) {
    const log = db.kept?.pings.get(id)
    if (log && log.after <= after) logs.set(id, log)
  }
  const parts = [...logs].map(([id, { after, pings }]) => ({ id, after, last: pings.at(-1)!.n }))
  for (const [id, count] of await storedCounts(db, parts)) {
    if (count !== logs.get(id)!.pings.length) logs.delete(id)
  }
  return logs
}

/** The pings after a number, of the checks that have some. */
async function pingsAfter(
  db: Db,
  logs: readonly { id: number; nPings: number; after: number }[],
): Promise<Map<number, LoggedEvent[]>> {
  const items = logs.filter(({ after, nPings }) => after < nPings).map(({ id, after }) => ({ id, after }))
  const found = new Map<number, LoggedEvent[]>()
  for (const row of await newer.arrays(db, {}, items)) appendTo(found, row[0] as number, eventOf(row))
  // Rows of a check are nearly always read in order; sorting all of them in the statement takes longer.
  for (const pings of found.values()) pings.sort((a, b) => a.n - b.n)
  return found
}

const newer = preparedList((sql, _: Record<string, never>, items: { id: number; after: number }[]) =>
  sql
    .with('asked(id, past)', () => valuesOf(items.map(({ id, after }) => [id, after])))
    .selectFrom('asked as a')
    .crossJoin('pings as p')
    .whereRef('p.check_id', '=', 'a.id')
    .whereRef('p.n', '>', 'a.past')
    .select(EVENT_COLUMNS),
)
