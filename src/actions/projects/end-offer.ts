import type { Role } from '../../core/people/role.js'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * Ends the offer of a project: the owner withdraws it, or the member to whom it is offered declines it. `reader`: the
 * UUID of who asks for it. Throws a `Refusal` for anyone else.
 */
export async function endOffer(
  { store, clock }: { store: StoreWith<'projects.cancelTransfer'>; clock: Clock },
  { projectId, role, reader }: { projectId: number; role: Role; reader: string | null },
): Promise<void> {
  const now = clock.now()
  if (role === 'owner') await store.projects.cancelTransfer(projectId, now)
  // Not the offer to somebody else that the owner made in the meantime.
  else await store.projects.cancelTransfer(projectId, now, reader)
}
