import { Refusal } from '../../core/errors.js'
import type { ApiKeyKind } from '../../lib/secrets/secrets.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * Revokes a project's keys of one kind and returns how many. `hint` selects API keys by their first characters.
 * Revoked keys stop working at once. Throws a `Refusal` if there is no such key.
 */
export async function revokeKeys(
  store: StoreWith<'projects.revokeApiKeys' | 'projects.revokePingKey'>,
  { projectId, kind, hint }: { projectId: number; kind: ApiKeyKind | 'ping'; hint?: string | undefined },
  now: number,
): Promise<number> {
  const revoked =
    kind === 'ping'
      ? Number(await store.projects.revokePingKey(projectId, now))
      : await store.projects.revokeApiKeys({ projectId, kind, hint, now })
  if (revoked === 0) throw new Refusal('not-found', 'the project has no such key')
  return revoked
}
