import type { Changes } from '../../lib/changes.js'
import type { OwnerRef } from '../../storage/projects/api-tokens.js'
import type { KnownAuthor } from '../../storage/projects/lock-author.js'
import type { StoreWith } from '../../storage/store.js'

interface TokenToRevoke {
  owner: OwnerRef
  uuid: string
  by: KnownAuthor
  now: number
}

/**
 * Revokes an API token of a person or of a project: from then on it opens nothing, and its streams end. Returns whether
 * there was one. Throws a `Refusal` if `by` may not revoke it any more.
 */
export async function revokeApiToken(
  { store, changes }: { store: StoreWith<'projects.revokeApiToken'>; changes: Changes },
  { owner, uuid, by, now }: TokenToRevoke,
): Promise<boolean> {
  const isRevoked = await store.projects.revokeApiToken(owner, uuid, now, by)
  if (isRevoked) changes.emit('access', {})
  return isRevoked
}
