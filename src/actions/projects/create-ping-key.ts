import { newPingKey } from '../../lib/secrets/secrets.js'
import type { Author } from '../../storage/projects/lock-author.js'
import type { StoreWith } from '../../storage/store.js'

/** Gives a project without a ping key one, and returns it. Throws a `Refusal` if it has one, or if `by` may not do so any more. */
export async function createPingKey(
  store: StoreWith<'projects.addPingKey'>,
  change: { projectId: number; by?: Author; now: number },
): Promise<string> {
  const pingKey = newPingKey()
  await store.projects.addPingKey({ ...change, pingKey })
  return pingKey
}
