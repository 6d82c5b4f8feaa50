/**
 * Saves a batch of pings on the workers that have the checks: one transaction on each, all at once, in which the coordinator
 * has no part but to give out the IDs of log rows.
 */
import { appendTo } from '../../../lib/append-to.js'
import type { StoreSettings } from '../../db.js'
import { isLocked } from '../../errors.js'
import type { PingPlan } from '../../pings/recording/ping-plan.js'
import { numbers } from '../arrays.js'
import type { Connections } from '../connections.js'
import type { Saved, Version } from '../dialect.js'
import {
  type KnownAnswer,
  knownColumns,
  readKnown,
  type SavedKnown,
  saveKnownIn,
} from '../save-statements.js'
import { codeOf, FOR_PINGS, type PostgresDb, write } from '../transaction.js'
import { RESERVED_IDS } from './layout.js'
import { HOLD_SHARDS, type Shard, UNDEFINED_TABLE, type Worker } from './shards.js'
import type { Workers } from './workers.js'

interface Place {
  /** To the coordinator. */
  connections: Connections
  workers: Workers
  settings: StoreSettings
  /** When it has to end (of `performance.now()`). */
  until: number
}

/** Saves the requested checks and their log rows, and says why which could not be saved. Throws if the coordinator is away. */
export async function saveOnWorkers(
  place: Place,
  plan: PingPlan,
  requested: readonly SavedKnown[],
): Promise<Saved> {
  const { workers } = place
  const parts = new Map<Worker, SavedKnown[]>()
  for (const one of requested) {
    appendTo(parts, workers.shards.workerOf(one.check.id), one)
  }
  const idAt = await reserveIds(place.connections, plan.rows.length)
  const results = await Promise.allSettled(
    [...parts].map(([worker, part]) => savePart(place, worker, plan, part, idAt)),
  )
  const versions = new Map<number, string>()
  const failed = new Map<string, Error>()
  for (const [index, [worker, part]] of [...parts].entries()) {
    const result = results[index]!
    if (result.status === 'fulfilled') for (const { id, version } of result.value) versions.set(id, version)
    else {
      const error = workers.errorOf(worker, result.reason)
      for (const { check } of part) failed.set(check.uuid, error)
    }
  }
  return { versionOf: id => versions.get(id), ...(failed.size > 0 && { failed }) }
}

/** Reserves IDs for `count` log rows, and returns the one of each by its place. */
async function reserveIds(coordinator: Connections, count: number): Promise<(place: number) => number> {
  const { rows } = await coordinator.shared.use(connection =>
    connection.prepared<{ id: number }>(
      `SELECT nextval('pings_id_seq') AS id FROM generate_series(1, $1::int)`,
      [Math.ceil(count / RESERVED_IDS)],
    ),
  )
  return place => rows[Math.floor(place / RESERVED_IDS)]!.id + (place % RESERVED_IDS)
}

/**
 * Returns what was saved: none of it if a row was locked for too long, or a shard moved away.
 *
 * A statement on `checks` would be planned anew each time, because its values say to which shard it goes. So the shards' own tables are
 * written, whose plans are kept, and what Citus does before it writes a shard is done here: a lock on the shard, which is refused to
 * others while it is being moved, and afterwards, so in a later statement, a look at whether it is still here.
 */
async function savePart(
  { workers, settings, until }: Place,
  worker: Worker,
  plan: PingPlan,
  part: readonly SavedKnown[],
  idAt: (place: number) => number,
): Promise<Version[]> {
  workers.requireAnswers(worker)
  const saved: Version[] = []
  const groups = workers.shards.groupByShard(part, ({ check }) => check.id)
  const method = async ({ dialect, sendWithCommit }: PostgresDb) => {
    saved.length = 0
    sendWithCommit(dialect.all(HOLD_SHARDS, [numbers(groups.map(([{ id }]) => id))], true))
    for (const [shard, group] of groups) {
      const ids = new Set(group.map(({ check }) => check.id))
      const places = plan.rows.flatMap((row, place) => (ids.has(row.check_id) ? [place] : []))
      const columns = knownColumns(
        group,
        plan.changed,
        places.map(place => plan.rows[place]!),
      )
      const numbered = [...columns, numbers(places.map(idAt))]
      sendWithCommit(
        dialect.all(statementFor(shard), numbered, true).then(([answer]) => {
          const known = readKnown(answer as KnownAnswer)
          for (const id of known.ids) saved.push({ id, version: known.version })
        }),
      )
    }
  }
  try {
    await write(workers.to(worker), settings, method, [], { until, locally: FOR_PINGS })
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) workers.refresh(true)
    else if (!isLocked(error)) throw error
    return []
  }
  return saved
}

function statementFor(shard: Shard): string {
  let text = statements.get(shard)
  if (text === undefined) {
    const { id, checks, pings, worker } = shard
    const also = `EXISTS (SELECT FROM pg_dist_placement WHERE shardid = ${id} AND groupid = ${worker.group})`
    text = saveKnownIn({ checks, pings, also, areNumbered: true })
    statements.set(shard, text)
  }
  return text
}

const statements = new WeakMap<Shard, string>()
