import { Refusal } from '../../core/errors.js'
import type { ApiKeyKind } from '../../lib/secrets/secrets.js'
import type { Author } from '../../storage/projects/lock-author.js'
import type { StoreWith } from '../../storage/store.js'

interface KeysToRevoke {
  projectId: number
  kind: ApiKeyKind | 'ping'
  hint?: string | undefined
  by?: Author
  now: number
}

/**
 * Revokes a project's keys of one kind and returns how many. `hint` selects API keys by their first characters.
 * Revoked keys stop working at once. Throws a `Refusal` if there is no such key, or if `by`
 * may not revoke it any more.
 */
export async function revokeKeys(
  store: StoreWith<'projects.revokeApiKeys' | 'projects.revokePingKey'>,
  { kind, hint, ...change }: KeysToRevoke,
): Promise<number> {
  const revoked =
    kind === 'ping'
      ? Number(await store.projects.revokePingKey(change))
      : await store.projects.revokeApiKeys({ ...change, kind, hint })
  if (revoked === 0) throw new Refusal('not-found', 'the project has no such key')
  return revoked
}
