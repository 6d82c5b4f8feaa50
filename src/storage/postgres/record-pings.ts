/**
 * Pings on PostgreSQL. Where all checks of a batch are remembered, they are saved without being read first: one way there
 * and back, and one change of each row instead of a lock and a change.
 */

import type { ArrivedPing, RecordedPings } from '../../core/pings/arrived-ping.js'
import type { StoreSettings } from '../db.js'
import { checksToPrune, type PingPlan, planOfKnown } from '../pings/ping-plan.js'
import { record as recordUnknown } from '../pings/pings.js'
import type { Connections } from './connections.js'
import type { SavedKnown, SavedVersion } from './dialect.js'
import type { KnownChecks } from './known-checks.js'
import { codeOf, endOf, type PostgresDb, write } from './transaction.js'

/**
 * How long a row that another transaction has locked is waited for here: the server may lock rows in another order than
 * it is asked to, so that two processes wait for each other, and by itself would notice that after a second. And with
 * what is known of the arrays' lengths the server would make a plan each time, which takes longer than to use it.
 */
const LOCALLY = { lock_timeout: 50, plan_cache_mode: 'force_generic_plan' }
const LOCK_NOT_AVAILABLE = '55P03'

/** What pings are recorded with. */
export interface Recording {
  connections: Connections
  known: KnownChecks
  settings: StoreSettings
  /** Forgets the old pings of checks whose log had grown too long at `now` (ms), some time. */
  prune(checkIds: readonly number[], now: number): void
}

/** Records a batch as `recordPings` of the storage methods does, which it falls back on. */
export async function recordPings(
  recording: Recording,
  arrived: readonly ArrivedPing[],
): Promise<RecordedPings> {
  const { connections, known, settings } = recording
  const until = endOf(connections.timeouts)
  const record = async (pings: readonly ArrivedPing[]) =>
    (await write(connections, settings, db => recordUnknown(db, pings), [], { until })) as RecordedPings
  const versions = new Map<string, string>()
  const remembered = (uuid: string) => {
    const found = known.get(uuid)
    if (found) versions.set(uuid, found.version)
    return found?.check
  }
  // Where there is an object storage, more may have to be written than this way does.
  const plan = settings.objectStorage ? null : planOfKnown(remembered, arrived)
  const saved = plan && (await saveKnown(recording, plan, versions, until))
  if (!saved) return await record(arrived)

  const changed = new Set<string>()
  for (const { check } of plan.touched) {
    const isSaved = saved.ids.has(check.id)
    known.used(check, isSaved ? saved.version : null)
    if (!isSaved) changed.add(check.uuid)
  }
  const toPrune = checksToPrune(plan, settings.pingLogLimit).filter(id => saved.ids.has(id))
  recording.prune(toPrune, plan.rows[0]!.created_at)
  return changed.size === 0 ? plan.result : await withRest(plan.result, arrived, changed, record)
}

/**
 * Saves those checks that are as they were known, and returns which; null where a row was locked for so long that
 * nothing was saved.
 */
async function saveKnown(
  { connections, settings }: Recording,
  plan: PingPlan,
  versions: ReadonlyMap<string, string>,
  until: number,
): Promise<SavedVersion | null> {
  // In the order in which rows are locked elsewhere, which the server mostly keeps to.
  const inOrder = plan.touched.toSorted((a, b) => (a.check.uuid < b.check.uuid ? -1 : 1))
  const asked = inOrder.map(
    ({ check, before }): SavedKnown => ({ check, before, version: versions.get(check.uuid)! }),
  )
  let saved: SavedVersion | null = null
  const method = async ({ dialect, sendWithCommit }: PostgresDb) => {
    sendWithCommit(
      dialect.saveKnown(asked, plan.changed, plan.rows).then(some => {
        saved = some
      }),
    )
  }
  try {
    await write(connections, settings, method, [], { until, locally: LOCALLY })
  } catch (error) {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
    return null
  }
  return saved
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
  } catch (error) {
    if (rest.length === arrived.length) throw error
    const outcomes = arrived.map((ping, place) => (isRest(ping) ? 'refused' : known.outcomes[place]!))
    return { ...known, outcomes, refusal: error as Error }
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
