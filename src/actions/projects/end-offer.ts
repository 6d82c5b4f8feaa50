import { Refusal } from '../../core/errors.js'
import type { Role } from '../../core/people/role.js'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * Ends the offer of a project: the owner withdraws it, or the member to whom it is offered declines it. `reader`: the
 * UUID of who asks for it. Throws a `Refusal` for anyone else.
 */
export async function endOffer(
  { store, clock }: { store: StoreWith<'projects.listMembers' | 'projects.cancelTransfer'>; clock: Clock },
  { projectId, role, reader }: { projectId: number; role: Role; reader: string | null },
): Promise<void> {
  const members = await store.projects.listMembers(projectId)
  const offered = members.find(({ transferRequestedAt }) => transferRequestedAt !== null)
  if (role !== 'owner' && (offered === undefined || offered.uuid !== reader)) {
    throw new Refusal('forbidden', 'only the project’s owner may do this')
  }
  await store.projects.cancelTransfer(projectId, clock.now())
}
