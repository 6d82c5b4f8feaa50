import { newPingKey } from '../../lib/secrets/secrets.js'
import type { StoreWith } from '../../storage/store.js'

/** Gives a project without a ping key one, and returns it. Throws a `Refusal` if it has one. */
export async function createPingKey(
  store: StoreWith<'projects.addPingKey'>,
  projectId: number,
  now: number,
): Promise<string> {
  const pingKey = newPingKey()
  await store.projects.addPingKey(projectId, pingKey, now)
  return pingKey
}
