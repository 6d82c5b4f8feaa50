/**
 * Records pings on PostgreSQL. If all checks of a batch are cached, they are saved without being read first: one
 * round trip, and one change of each row rather than a lock and a change.
 */

import type { ArrivedPing, RecordedPings } from '../../core/pings/arrived-ping.js'
import type { StoreSettings } from '../db.js'
import { checksToPrune, type PingPlan, planOfKnown } from '../pings/ping-plan.js'
import { record as recordUnknown } from '../pings/pings.js'
import { recordApart } from './citus/record-apart.js'
import { saveOnWorkers } from './citus/save-on-workers.js'
import type { Workers } from './citus/workers.js'
import type { Connections } from './connections.js'
import type { Saved, SavedKnown, SavedVersion } from './dialect.js'
import type { KnownChecks } from './known-checks.js'
import { codeOf, endOf, LOCK_NOT_AVAILABLE, type PostgresDb, write } from './transaction.js'

/**
 * How long (ms) to wait here for a row that another transaction has locked. The server may lock rows in another order
 * than requested, so that two processes deadlock, which it would notice only after a second. The generic plan:
 * otherwise the server would plan each statement by the lengths of its arrays, which takes longer than running it.
 */
const LOCALLY = { lock_timeout: 50, plan_cache_mode: 'force_generic_plan' }

/** The context of recording pings. */
export interface Recording {
  connections: Connections
  known: KnownChecks
  settings: StoreSettings
  /** The servers that have the checks, if Citus distributes them. */
  workers?: Workers
  /** Prunes, some time later, the checks whose log was too long at `now` (ms). */
  prune(checkIds: readonly number[], now: number): void
}

/** Records a batch as the store's `pings.record` does, which is also the fallback. */
export async function recordPings(
  recording: Recording,
  arrived: readonly ArrivedPing[],
): Promise<RecordedPings> {
  const { connections, known, settings, workers } = recording
  const until = endOf(connections.timeouts)
  const recordAll = async (pings: readonly ArrivedPing[]) =>
    (await write(connections, settings, db => recordUnknown(db, pings), [], { until })) as RecordedPings
  const record = (pings: readonly ArrivedPing[]) =>
    workers ? recordApart(connections, workers, pings, recordAll) : recordAll(pings)
  const versions = new Map<string, string>()
  const remembered = (uuid: string) => {
    const found = known.get(uuid)
    if (found) versions.set(uuid, found.version)
    return found?.check
  }
  // With object storage, more may have to be written than this path does.
  const plan = settings.objectStorage ? null : planOfKnown(remembered, arrived)
  const saved = plan && (await saveKnown(recording, plan, versions, until))
  if (!saved) return await record(arrived)

  const changed = new Set<string>()
  for (const { check } of plan.touched) {
    const version = saved.versionOf(check.id)
    known.used(check, version ?? null)
    if (version === undefined && !saved.failed?.has(check.uuid)) changed.add(check.uuid)
  }
  const toPrune = checksToPrune(plan, settings.pingLogLimit).filter(id => saved.versionOf(id) !== undefined)
  recording.prune(toPrune, plan.rows[0]!.created_at)
  const recorded = saved.failed ? withRefused(plan.result, arrived, saved.failed) : plan.result
  return changed.size === 0 ? recorded : await withRest(recorded, arrived, changed, record)
}

/**
 * Saves the checks that are unchanged since they were cached, and returns which; null if a row was locked for too
 * long, so that nothing was saved.
 */
async function saveKnown(
  { connections, settings, workers }: Recording,
  plan: PingPlan,
  versions: ReadonlyMap<string, string>,
  until: number,
): Promise<Saved | null> {
  // In the order in which rows are locked elsewhere; the server mostly keeps it.
  const inOrder = plan.touched.toSorted((a, b) => (a.check.uuid < b.check.uuid ? -1 : 1))
  const requested = inOrder.map(
    ({ check, before }): SavedKnown => ({ check, before, version: versions.get(check.uuid)! }),
  )
  if (workers) return await saveOnWorkers({ connections, workers, settings, until }, plan, requested)
  let saved = null as SavedVersion | null
  const method = async ({ dialect, sendWithCommit }: PostgresDb) => {
    sendWithCommit(
      dialect.saveKnown(requested, plan.changed, plan.rows).then(some => {
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
  const { ids, version } = saved!
  return { versionOf: id => (ids.has(id) ? version : undefined) }
}

/** The outcomes, with the pings of failed checks refused. */
function withRefused(
  recorded: RecordedPings,
  arrived: readonly ArrivedPing[],
  failed: ReadonlyMap<string, Error>,
): RecordedPings {
  const outcomes = arrived.map(({ target }, place) =>
    'uuid' in target && failed.has(target.uuid) ? 'refused' : recorded.outcomes[place]!,
  )
  return { ...recorded, outcomes, refusal: failed.values().next().value! }
}

/** Records the pings of changed checks in another transaction, and adds their outcomes. */
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
  const refusal = more.refusal ?? known.refusal
  return {
    outcomes: arrived.map((ping, place) => (isRest(ping) ? outcomes.next().value! : known.outcomes[place]!)),
    alerts: more.alerts,
    wakeAt: earliest(known.wakeAt, more.wakeAt),
    errors: more.errors,
    ...(refusal && { refusal }),
  }
}

function earliest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}
