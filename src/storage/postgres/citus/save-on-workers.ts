/**
 * Saves a batch of pings on the workers that have the checks: one transaction on each, all at once, in which the coordinator
 * has no part but to give out the IDs of log rows.
 */
import { appendTo } from '../../../lib/append-to.js'
import type { StoreSettings } from '../../db.js'
import type { PingPlan } from '../../pings/ping-plan.js'
import { numbers } from '../arrays.js'
import type { Connections } from '../connections.js'
import {
  knownColumns,
  PING_NAMES,
  pingArrays,
  pingColumns,
  type Saved,
  type SavedKnown,
  UPDATE_KNOWN,
  type Version,
} from '../dialect.js'
import { codeOf, LOCK_NOT_AVAILABLE, type PostgresDb, write } from '../transaction.js'
import type { Worker } from './shards.js'
import type { Workers } from './workers.js'

interface Place {
  /** To the coordinator. */
  connections: Connections
  workers: Workers
  settings: StoreSettings
  /** When it has to end (of `performance.now()`). */
  until: number
}

/** As in record-pings.ts. Plans are made anew, because the values say to which shard a statement goes. */
const LOCALLY = { lock_timeout: 50, plan_cache_mode: 'force_custom_plan' }

/** Saves the requested checks and their log rows. Throws only if no worker could do its part. */
export async function saveOnWorkers(
  place: Place,
  plan: PingPlan,
  requested: readonly SavedKnown[],
): Promise<Saved> {
  const { workers } = place
  workers.refresh()
  const parts = new Map<Worker, SavedKnown[]>()
  for (const one of requested) {
    appendTo(parts, workers.shards.workerOf(one.check.id), one)
  }
  const firstId = await reserveIds(place.connections)
  const results = await Promise.allSettled(
    [...parts].map(([worker, part]) => savePart(place, worker, plan, part, firstId)),
  )
  const versions = new Map<number, string>()
  const failed = new Map<string, Error>()
  for (const [index, part] of [...parts.values()].entries()) {
    const result = results[index]!
    if (result.status === 'fulfilled') for (const { id, version } of result.value) versions.set(id, version)
    else for (const { check } of part) failed.set(check.uuid, result.reason)
  }
  if (failed.size > 0) workers.refresh(true)
  if (failed.size === requested.length) throw failed.values().next().value
  return { versionOf: id => versions.get(id), ...(failed.size > 0 && { failed }) }
}

async function reserveIds(coordinator: Connections): Promise<number> {
  const { rows } = await coordinator.shared.use(connection =>
    connection.prepared<{ id: number }>(`SELECT nextval('pings_id_seq') AS id`, []),
  )
  return rows[0]!.id
}

/** Returns what was saved: none of it if a row was locked for too long. */
async function savePart(
  { workers, settings, until }: Place,
  worker: Worker,
  plan: PingPlan,
  part: readonly SavedKnown[],
  firstId: number,
): Promise<Version[]> {
  let saved: Version[] = []
  const method = async (db: PostgresDb) => {
    const groups = workers.shards.group(part, ({ check }) => check.id)
    const update = (group: SavedKnown[]) =>
      db.dialect.all(UPDATE_OF_SHARD, knownColumns(group, plan.changed)) as Promise<Version[]>
    saved = (await Promise.all(groups.map(update))).flat()
    const ids = new Set(saved.map(({ id }) => id))
    const places = plan.rows.flatMap((row, place) => (ids.has(row.check_id) ? [place] : []))
    if (places.length === 0) return
    const columns = pingColumns(places.map(at => plan.rows[at]!))
    db.sendWithCommit(db.dialect.all(INSERT_NUMBERED, [numbers(places.map(at => firstId + at)), ...columns]))
  }
  try {
    await write(workers.to(worker), settings, method, [], { until, locally: LOCALLY })
  } catch (error) {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
    return []
  }
  return saved
}

/** The array of IDs says to which shard the statement goes. */
const UPDATE_OF_SHARD = UPDATE_KNOWN.replace(
  'WHERE c.id = s.id',
  'WHERE c.id = s.id AND c.id = ANY($1::bigint[])',
)

const INSERT_NUMBERED = `INSERT INTO pings (id, ${PING_NAMES})
SELECT * FROM unnest($1::bigint[], ${pingArrays(1)})`
