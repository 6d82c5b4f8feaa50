/**
 * Records pings on PostgreSQL. If all checks of a batch are cached, they are saved without being read first: one
 * round trip, and one change of each row rather than a lock and a change.
 */

import { sql } from 'kysely'
import type { ArrivedPing, EarlierPings, RecordedPings } from '../../core/pings/arrived-ping.js'
import { isLocked } from '../errors.js'
import type { WhenLocked } from '../locks.js'
import { record as recordUnknown } from '../pings/pings.js'
import { planOfKnown } from '../pings/recording/known-plan.js'
import type { PingPlan } from '../pings/recording/ping-plan.js'
import { recordOnWorkers } from './citus/record-on-workers.js'
import type { Connections } from './connections.js'
import type { Saved } from './dialect.js'
import type { SavedVersion } from './save-statements.js'
import { type Recording, requestOf, settleSaved } from './saved-pings.js'
import { endOf, FOR_PINGS, type How, type PostgresDb, write } from './transaction.js'

/** How long (ms) pings wait for what another transaction has locked, before those that need it are put off. */
const LOCK_MS = 100

/**
 * How long (ms) pings of one check wait in line for it, and then for what they cannot skip: less than their senders wait in all, so that the connection
 * survives.
 */
const IN_LINE_MS = 6_000
const REST_MS = 1_000

/** Records a batch as the store's `pings.record` does, which is also the fallback. */
export async function recordPings(
  recording: Recording,
  arrived: readonly ArrivedPing[],
  earlier: EarlierPings | null = null,
): Promise<RecordedPings> {
  const { connections, known, settings, workers } = recording
  const until = workers ? workers.endOfBatch() : endOf(connections.timeouts)
  const recordWhole = async (pings: readonly ArrivedPing[], whenLocked: WhenLocked, how: How) => {
    const method = (db: PostgresDb) => recordUnknown(db, pings, earlier, whenLocked)
    const recorded = (await write(connections, settings, method, [], { until, ...how })) as RecordedPings
    return pruned(recording, pings, recorded)
  }
  const record = async (pings: readonly ArrivedPing[]) => {
    // A limit on waiting is not known to the servers that have the checks.
    if (workers) return await recordWhole(pings, 'skip', {})
    try {
      // Waiting first: where many change the same check, each has its turn.
      return await recordWhole(pings, 'wait', { locally: { lock_timeout: LOCK_MS } })
    } catch (error) {
      if (!isLocked(error)) throw error
      return await recordWhole(pings, 'skip', {})
    }
  }
  const waiting = new Set(earlier?.checks)
  if (workers) return await recordOnWorkers({ ...recording, workers, until, waiting, record }, arrived)

  const versions = new Map<string, string>()
  const remembered = (uuid: string) => {
    const found = known.get(uuid)
    if (!found || waiting.has(found.check.id)) return undefined
    versions.set(uuid, found.version)
    return found.check
  }
  // With object storage, more may have to be written than this path does.
  const plan = settings.objectStorage ? null : planOfKnown(remembered, arrived)
  const saved = plan && (await saveKnown(recording, plan, versions, until))
  return saved ? await settleSaved(recording, plan, arrived, saved, record) : await record(arrived)
}

/**
 * As the store's `pings.recordInLine`, on the connections `inLine`. The server serves those who wait for a row in turn. Where Citus
 * distributes checks it does not wait: a limit on waiting is not known to the servers that have them.
 */
export async function recordInLine(
  recording: Recording,
  inLine: Connections,
  checkId: number,
  take: () => readonly ArrivedPing[],
): Promise<RecordedPings> {
  if (recording.workers) return await recordPings(recording, take())
  let pings: readonly ArrivedPing[] = []
  const method = async (db: PostgresDb) => {
    await db.sql.selectFrom('checks').select('id').where('id', '=', checkId).forNoKeyUpdate().execute()
    await sql`SET LOCAL lock_timeout = ${sql.lit(REST_MS)}`.execute(db.sql)
    pings = take()
    return await recordUnknown(db, pings, null, 'skip')
  }
  const how = { locally: { lock_timeout: IN_LINE_MS } }
  const recorded = (await write(inLine, recording.settings, method, [], how)) as RecordedPings
  return pruned(recording, pings, recorded)
}

/** What was recorded; logs that are too long now are cut later. */
function pruned({ prune }: Recording, pings: readonly ArrivedPing[], recorded: RecordedPings): RecordedPings {
  const { tooLong, ...rest } = recorded
  if (!tooLong) return recorded
  prune(tooLong, Math.max(...pings.map(({ arrivedAt }) => arrivedAt)))
  return rest
}

/**
 * Saves the checks that are unchanged since they were cached, and returns which; null if a row was locked for too
 * long, so that nothing was saved.
 */
async function saveKnown(
  { connections, settings }: Recording,
  plan: PingPlan,
  versions: ReadonlyMap<string, string>,
  until: number,
): Promise<Saved | null> {
  const requested = requestOf(plan, uuid => versions.get(uuid)!)
  let saved = null as SavedVersion | null
  const method = async ({ dialect, sendWithCommit }: PostgresDb) => {
    sendWithCommit(
      dialect.saveKnown(requested, plan.changed, plan.rows).then(some => {
        saved = some
      }),
    )
  }
  try {
    await write(connections, settings, method, [], { until, locally: FOR_PINGS })
  } catch (error) {
    if (!isLocked(error)) throw error
    return null
  }
  const { ids, version } = saved!
  return { versionOf: id => (ids.has(id) ? version : undefined) }
}
