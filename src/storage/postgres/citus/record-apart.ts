/** Records pings through the coordinator with a transaction for each worker, so that one that is away fails its own alone. */
import type { ArrivedPing, RecordedPings } from '../../../core/pings/arrived-ping.js'
import { appendTo } from '../../../lib/append-to.js'
import { joinParts } from '../../pings/recording/recorded-parts.js'
import { texts } from '../arrays.js'
import type { Connections } from '../connections.js'
import type { Worker } from './shards.js'
import type { Workers } from './workers.js'

/** Records pings with one call of `record` for those of each worker. Throws only if all failed, not if these workers are away. */
export async function recordApart(
  connections: Connections,
  workers: Workers,
  arrived: readonly ArrivedPing[],
  record: (pings: readonly ArrivedPing[]) => Promise<RecordedPings>,
): Promise<RecordedPings> {
  const groups = await placesByWorker(connections, workers, arrived)
  const recordFor = async (worker: Worker | undefined, places: readonly number[]) => {
    try {
      if (worker) workers.requireAnswers(worker)
      return await record(places.map(place => arrived[place]!))
    } catch (error) {
      throw worker ? workers.errorOf(worker, error as Error) : error
    }
  }
  return await joinParts(
    [...groups].map(([worker, places]) => ({ places, recorded: recordFor(worker, places) })),
  )
}

/** The places in `arrived` of the pings of each worker's checks; those of checks that are not known by UUID are one group. */
async function placesByWorker(
  connections: Connections,
  workers: Workers,
  arrived: readonly ArrivedPing[],
): Promise<Map<Worker | undefined, number[]>> {
  const uuids = new Set(arrived.flatMap(({ target }) => ('uuid' in target ? [target.uuid] : [])))
  if (uuids.size === 0) return new Map([[undefined, [...arrived.keys()]]])
  const { rows } = await connections.shared.use(connection =>
    connection.query<{ uuid: string; check_id: number }>(
      'SELECT uuid, check_id FROM check_names WHERE uuid = ANY($1::text[])',
      [texts([...uuids])],
    ),
  )
  const workerOf = new Map(rows.map(row => [row.uuid, workers.shards.workerOf(row.check_id)]))
  const groups = new Map<Worker | undefined, number[]>()
  for (const [place, { target }] of arrived.entries()) {
    appendTo(groups, 'uuid' in target ? workerOf.get(target.uuid) : undefined, place)
  }
  return groups
}
