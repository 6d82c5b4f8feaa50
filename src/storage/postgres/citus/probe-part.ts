/** The store's `pings.probe` on Citus: on the workers, in each shard as pings are written, and on the coordinator. */
import type { StoreSettings } from '../../db.js'
import { isUnavailable } from '../../errors.js'
import { idsInPart } from '../../instance/parts.js'
import { probeCheck, readNeeded } from '../../pings/probe-pings.js'
import type { Connections } from '../connections.js'
import { write } from '../transaction.js'
import type { Workers } from './workers.js'

/** Probes all that have checks of a part. */
export async function probePart(
  workers: Workers,
  settings: StoreSettings,
  part: string,
  now: number,
): Promise<void> {
  const { shards } = workers
  await Promise.all(
    idsInPart(shards, part).map(id =>
      workers.probe(shards.workerOf(id), settings, db => probeCheck(db, now, id)),
    ),
  )
}

/** Probes the coordinator, and the workers that are there; those that are away concern their parts alone. */
export async function probePresent(
  coordinator: Connections,
  workers: Workers,
  settings: StoreSettings,
  now: number,
): Promise<void> {
  const present = workers.shards.workers().filter(worker => !workers.isSilent(worker))
  await Promise.all([
    write(coordinator, settings, readNeeded, []),
    ...present.map(({ part }) =>
      probePart(workers, settings, part, now).catch(error => {
        if (!isUnavailable(error)) throw error
      }),
    ),
  ])
}
