/** The newest pings of checks. The thread that reads keeps those that it has read, because most views read them again. */
import type { Cause } from '../../core/checks/health/cause.js'
import type { Action } from '../../core/pings/ping-event.js'
import type { LoggedEvent } from '../../core/pings/run-ledger.js'
import { appendTo } from '../../lib/append-to.js'
import { valuesOf } from '../checks/lanes/pings-between.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'

/** The most pings that are kept, of about 100 bytes each: of one check, and of all. */
const MOST_OF_CHECK = 500
const MOST = 100_000

interface Log {
  /** It has the stored pings with greater numbers, up to its last one. */
  after: number
  /** Oldest first. */
  pings: readonly LoggedEvent[]
}

/** The ends of logs that were read, by the ID of the check. Those that were used last stay. */
export class KeptPings {
  readonly #logs = new Map<number, Log>()
  #size = 0

  get(checkId: number): Log | undefined {
    return this.#logs.get(checkId)
  }

  put(checkId: number, log: Log): void {
    this.forget(checkId)
    this.#logs.set(checkId, log)
    this.#size += log.pings.length
    for (const oldest of this.#logs.keys()) {
      if (this.#size <= MOST) break
      this.forget(oldest)
    }
  }

  forget(checkId: number): void {
    this.#size -= this.#logs.get(checkId)?.pings.length ?? 0
    this.#logs.delete(checkId)
  }
}

/** A check whose pings are read, as it is in the transaction that reads them. */
interface Logged {
  id: number
  nPings: number
}

/** The stored ones of the last `count` pings of each check, oldest first, by the ID of the check. */
export async function recentPings(
  db: Db,
  checks: readonly Logged[],
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
    let log: Log = old ?? { after, pings: [] }
    if (added) log = { ...log, pings: [...log.pings, ...added] }
    if (log.pings.length > 0) db.kept?.put(id, shortened(log))
    found.set(id, log.after === after ? log.pings : log.pings.filter(({ n }) => n > after))
  }
  return found
}

function shortened({ after, pings }: Log): Log {
  if (pings.length <= MOST_OF_CHECK) return { after, pings }
  const last = pings.slice(-MOST_OF_CHECK)
  return { after: last[0]!.n - 1, pings: last }
}

/**
 * The kept logs that reach back as far as is asked, and are as they are stored. A row never changes and no number is used again,
 * so a log with as many numbers in the same range has the same rows.
 */
async function stillTrue(db: Db, asked: readonly { id: number; after: number }[]): Promise<Map<number, Log>> {
  const logs = new Map<number, Log>()
  if (!db.kept) return logs
  const items: Item[] = []
  for (const { id, after } of asked) {
    const log = db.kept.get(id)
    if (!log || log.after > after) continue
    logs.set(id, log)
    items.push({ id, after: log.after, last: log.pings.at(-1)!.n })
  }
  for (const [id, count] of (await counts.arrays(db, {}, items)) as [number, number | string][]) {
    if (Number(count) === logs.get(id)!.pings.length) continue
    logs.delete(id)
    db.kept.forget(id)
  }
  return logs
}

interface Item extends Record<string, number> {
  id: number
  after: number
  last: number
}

const counts = preparedList((sql, _: Record<string, never>, items: Item[]) =>
  sql
    .with('asked(id, past, last)', () => valuesOf(items.map(({ id, after, last }) => [id, after, last])))
    .selectFrom('asked as a')
    .select(eb => [
      'a.id',
      eb
        .selectFrom('pings as p')
        .select(eb.fn.countAll().as('count'))
        .whereRef('p.check_id', '=', 'a.id')
        .whereRef('p.n', '>', 'a.past')
        .whereRef('p.n', '<=', 'a.last')
        .as('count'),
    ]),
)

/** The pings after a number, of the checks that have some. */
async function pingsAfter(
  db: Db,
  logs: readonly { id: number; nPings: number; after: number }[],
): Promise<Map<number, LoggedEvent[]>> {
  const items = logs.filter(({ after, nPings }) => after < nPings).map(({ id, after }) => ({ id, after }))
  const found = new Map<number, LoggedEvent[]>()
  for (const row of await newer.arrays(db, {}, items)) appendTo(found, row[0] as number, toLoggedEvent(row))
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
    .select(['p.check_id', 'p.n', 'p.created_at', 'p.kind', 'p.rid', 'p.cause'])
    .select(['p.exit_status', 'p.duration', 'p.ran_at']),
)

function toLoggedEvent(row: readonly unknown[]): LoggedEvent {
  return {
    n: row[1] as number,
    at: row[2] as number,
    action: row[3] as Action,
    rid: row[4] as string | null,
    cause: row[5] as Cause | null,
    exitStatus: row[6] as number | null,
    durationMs: row[7] as number | null,
    ranAt: row[8] as number | null,
  }
}
