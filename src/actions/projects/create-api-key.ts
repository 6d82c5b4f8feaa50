import type { Clock } from '../../lib/clock.js'
import { type ApiKeyKind, digestOf, newApiKey } from '../../lib/secrets/secrets.js'
import type { NewApiKey } from '../../storage/projects/api-keys.js'
import type { StoreWith } from '../../storage/store.js'

/** The number of a key's first characters that are stored, so that people can tell keys apart. */
const HINT_LENGTH = 8

/** Adds an API key to a project and returns it; only its digest is stored. */
export async function createApiKey(
  store: StoreWith<'projects.addApiKey'>,
  clock: Clock,
  { projectId, kind }: { projectId: number; kind: ApiKeyKind },
): Promise<string> {
  const { key, stored } = newStoredKey(kind)
  await store.projects.addApiKey({ ...stored, projectId, now: clock.now() })
  return key
}

/** A new key, and the part of it that is stored. */
export function newStoredKey(kind: ApiKeyKind): { key: string; stored: NewApiKey } {
  const key = newApiKey(kind)
  return { key, stored: { kind, digest: digestOf(key), hint: key.slice(0, HINT_LENGTH) } }
}
