import { inTurns } from '../../../lib/in-turns.js'
import { checksIn } from '../../../storage/projects/config/check-pieces.js'
import type { StoredConfig } from '../../../storage/projects/config/stored-config.js'
import type { StoreWith } from '../../../storage/store.js'

/** What files can set of a project, as it is in the tables at `now` (ms). */
export async function readConfig(
  store: StoreWith<'projects.config'>,
  projectId: number,
  now: number,
): Promise<StoredConfig> {
  const pieces: Uint8Array[] = []
  const stored = await store.projects.config(projectId, now, piece => pieces.push(piece))
  return { ...stored, objects: { ...stored.objects, checks: await inTurns(checksIn(pieces)) } }
}
