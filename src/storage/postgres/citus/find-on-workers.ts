/** Finds the checks of pings: by the names that the coordinator has, and their rows on the workers. */
import type { ArrivedPing } from '../../../core/pings/arrived-ping.js'
import { appendTo } from '../../../lib/append-to.js'
import { toLoadedCheck } from '../../checks/rows/check-rows.js'
import type { LoadedCheck } from '../../dialect.js'
import { numbers, texts } from '../arrays.js'
import type { Connections } from '../connections.js'
import type { Version } from '../dialect.js'
import type { KnownChecks } from '../known-checks.js'
import { codeOf } from '../transaction.js'
import { findBySlug } from './dialect.js'
import { UNDEFINED_TABLE, type Worker } from './shards.js'
import type { Workers } from './workers.js'

interface Place {
  /** To the coordinator. */
  connections: Connections
  workers: Workers
  known: KnownChecks
}

interface FoundChecks {
  /** The pings, those to a slug with the UUID of the only check that has it. */
  pings: ArrivedPing[]
  /** Cached or read now, by their UUIDs. */
  checks: ReadonlyMap<string, { check: LoadedCheck; version: string }>
  /** By UUIDs: why the worker that has the check could not be asked. */
  failed: ReadonlyMap<string, Error>
}

/** Finds the checks of pings. Rows are not locked: whoever saves one compares its version. */
export async function findOnWorkers(place: Place, arrived: readonly ArrivedPing[]): Promise<FoundChecks> {
  const pings = await withUuids(place, arrived)
  const checks = new Map<string, { check: LoadedCheck; version: string }>()
  const unknown = new Set<string>()
  for (const { target } of pings) {
    if (!('uuid' in target) || checks.has(target.uuid)) continue
    const cached = place.known.get(target.uuid)
    if (cached) checks.set(target.uuid, cached)
    else unknown.add(target.uuid)
  }
  const failed = new Map<string, Error>()
  if (unknown.size === 0) return { pings, checks, failed }
  const byWorker = new Map<Worker, { uuid: string; id: number }[]>()
  for (const one of await idsOf(place, [...unknown])) {
    appendTo(byWorker, place.workers.shards.workerOf(one.id), one)
  }
  const ask = async (worker: Worker, asked: readonly { uuid: string; id: number }[]) => {
    try {
      for (const row of await readRows(place, worker, asked)) {
        const check = toLoadedCheck(row)
        place.known.loaded(check, row.version)
        checks.set(check.uuid, { check, version: row.version })
      }
    } catch (error) {
      // Those are asked of the coordinator.
      if (codeOf(error) === UNDEFINED_TABLE) return place.workers.refresh(true)
      const reason = place.workers.errorOf(worker, error as Error)
      for (const { uuid } of asked) failed.set(uuid, reason)
    }
  }
  await Promise.all([...byWorker].map(entry => ask(...entry)))
  return { pings, checks, failed }
}

async function readRows(
  { workers }: Place,
  worker: Worker,
  asked: readonly { id: number }[],
): Promise<Version[]> {
  workers.requireAnswers(worker)
  const groups = workers.shards.groupByShard(asked, ({ id }) => id)
  return await workers.to(worker).shared.use(async connection => {
    const read = groups.map(([{ checks }, group]) =>
      connection.prepared<Version>(`SELECT *, xmin AS version FROM ${checks} WHERE id = ANY($1::bigint[])`, [
        numbers(group.map(({ id }) => id)),
      ]),
    )
    return (await Promise.all(read)).flatMap(({ rows }) => rows)
  })
}

async function idsOf(
  { connections, workers }: Place,
  uuids: readonly string[],
): Promise<{ uuid: string; id: number }[]> {
  const asked = uuids.filter(uuid => workers.ids.get(uuid) === undefined)
  if (asked.length > 0) {
    const { rows } = await connections.shared.use(connection =>
      connection.prepared<{ uuid: string; check_id: number }>(
        'SELECT uuid, check_id FROM check_names WHERE uuid = ANY($1::text[])',
        [texts([...asked])],
      ),
    )
    for (const { uuid, check_id } of rows) workers.ids.set(uuid, check_id)
  }
  return uuids.flatMap(uuid => {
    const id = workers.ids.get(uuid)
    return id === undefined ? [] : [{ uuid, id }]
  })
}

async function withUuids({ connections }: Place, arrived: readonly ArrivedPing[]): Promise<ArrivedPing[]> {
  const pairs = arrived.flatMap(({ target }) => ('slug' in target ? [target] : []))
  if (pairs.length === 0) return [...arrived]
  const found = (await connections.shared.use(connection => findBySlug(connection, pairs))).values()
  return arrived.map(ping => {
    if (!('slug' in ping.target)) return ping
    const { uuids } = found.next().value!
    return uuids.length === 1 ? { ...ping, target: { uuid: uuids[0]! } } : ping
  })
}
