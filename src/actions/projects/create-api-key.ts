import type { Clock } from '../../lib/clock.js'
import { type ApiKeyKind, digestOf, newApiKey } from '../../lib/secrets/secrets.js'
import type { NewApiKey } from '../../storage/projects/api-keys.js'
import type { KnownAuthor } from '../../storage/projects/lock-author.js'
import type { StoreWith } from '../../storage/store.js'

/** The number of a key's first characters that are stored, so that people can tell keys apart. */
export const API_KEY_HINT_LENGTH = 8

/**
 * Adds an API key to a project and returns it; only its digest is stored. Throws a `Refusal` if who makes it, `by`, may
 * not do so any more; null: the operator.
 */
export async function createApiKey(
  store: StoreWith<'projects.addApiKey'>,
  clock: Clock,
  { projectId, kind, by }: { projectId: number; kind: ApiKeyKind; by: KnownAuthor | null },
): Promise<string> {
  const { key, stored } = newStoredKey(kind)
  await store.projects.addApiKey({ ...stored, projectId, by, now: clock.now() })
  return key
}

/** A new key, and the part of it that is stored. */
export function newStoredKey(kind: ApiKeyKind): { key: string; stored: NewApiKey } {
  const key = newApiKey(kind)
  return { key, stored: { kind, digest: digestOf(key), hint: key.slice(0, API_KEY_HINT_LENGTH) } }
}
