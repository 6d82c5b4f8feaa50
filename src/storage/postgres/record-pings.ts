/**
 * Pings on PostgreSQL. Where all checks of a batch are remembered, they are saved without being read first: one way there
 * and back, and one change of each row instead of a lock and a change.
 */
import type { StoreSettings } from '../db.js'
import {
  type ArrivedPing,
  overgrown,
  type PingPlan,
  planOfKnown,
  type RecordedPings,
  recordPings as recordUnknown,
} from '../pings.js'
import { pruneChecks } from '../prune.js'
import { bringForward } from '../states.js'
import type { Connections } from './connections.js'
import type { SavedKnown, Version } from './dialect.js'
import { codeOf, type PostgresDb, write } from './transaction.js'

/**
 * How long a row that another transaction has locked is waited for here: the server may lock rows in another order than
 * it is asked to, so that two processes wait for each other, and by itself would notice that after a second. And with
 * what is known of the arrays' lengths the server would make a plan each time, which takes longer than to use it.
 */
const LOCALLY = { lock_timeout: 50, plan_cache_mode: 'force_generic_plan' }
const LOCK_NOT_AVAILABLE = '55P03'

/** Records a batch as `recordPings` of the storage methods does, which it falls back on. */
export async function recordPings(
  connections: Connections,
  settings: StoreSettings,
  arrived: readonly ArrivedPing[],
): Promise<RecordedPings> {
  const { known } = connections
  const record = async (pings: readonly ArrivedPing[]) =>
    (await write(connections, settings, db => recordUnknown(db, pings), [])) as RecordedPings
  const versions = new Map<string, string>()
  const remembered = (uuid: string) => {
    const found = known.get(uuid)
    if (found) versions.set(uuid, found.version)
    return found?.check
  }
  // Where there is an object storage, more may have to be written than this way does.
  const plan = settings.objectStorage ? null : planOfKnown(remembered, arrived)
  if (!plan) return await record(arrived)

  const saved = await saveKnown(connections, settings, plan, versions)
  const changed = new Set<string>()
  for (const { check } of plan.touched) {
    const version = saved.get(check.id) ?? null
    known.used(check, version)
    if (version === null) changed.add(check.uuid)
  }
  const toPrune = overgrown(plan, settings.pingLogLimit).filter(id => saved.has(id))
  if (toPrune.length > 0) {
    const now = Math.max(...plan.rows.map(row => row.created_at))
    // The pings are recorded, whatever becomes of the old ones: their turn comes again.
    await write(connections, settings, db => pruneChecks(db, toPrune, now), []).catch(() => {})
  }
  return changed.size === 0 ? plan.result : await withRest(plan.result, arrived, changed, record)
}

/** Saves those checks that are as they were known, and returns their new versions by their id. */
async function saveKnown(
  connections: Connections,
  settings: StoreSettings,
  plan: PingPlan,
  versions: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<number, string>> {
  const { woken, wakeAt } = bringForward(plan.touched.map(({ check }) => check))
  plan.result.wakeAt = wakeAt
  // In the order in which rows are locked elsewhere, which the server mostly keeps to.
  const inOrder = plan.touched.toSorted((a, b) => (a.check.uuid < b.check.uuid ? -1 : 1))
  const asked = inOrder.map(
    ({ check, pingsBefore }): SavedKnown => ({
      check,
      pingsBefore,
      version: versions.get(check.uuid)!,
      wakeChanged: woken.has(check.id),
    }),
  )
  let saved: readonly Version[] = []
  const method = async ({ dialect, leave }: PostgresDb) => {
    leave(
      dialect.saveKnown(asked, plan.rows).then(rows => {
        saved = rows
      }),
    )
  }
  try {
    await write(connections, settings, method, [], LOCALLY)
  } catch (error) {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
    return new Map()
  }
  return new Map(saved.map(({ id, version }) => [id, version]))
}

/** Records the pings of the checks that have changed meanwhile, in another transaction, and adds what became of them. */
async function withRest(
  known: RecordedPings,
  arrived: readonly ArrivedPing[],
  changed: ReadonlySet<string>,
  record: (rest: readonly ArrivedPing[]) => Promise<RecordedPings>,
): Promise<RecordedPings> {
  const isRest = ({ target }: ArrivedPing) => 'uuid' in target && changed.has(target.uuid)
  const rest = arrived.filter(isRest)
  let more: RecordedPings
  try {
    more = await record(rest)
  } catch (refusal) {
    if (rest.length === arrived.length) throw refusal
    const outcomes = arrived.map((ping, place) => (isRest(ping) ? 'refused' : known.outcomes[place]!))
    return { ...known, outcomes, refusal }
  }
  const outcomes = more.outcomes.values()
  return {
    outcomes: arrived.map((ping, place) => (isRest(ping) ? outcomes.next().value! : known.outcomes[place]!)),
    alerts: more.alerts,
    wakeAt: earliest(known.wakeAt, more.wakeAt),
    errors: more.errors,
  }
}

function earliest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}
