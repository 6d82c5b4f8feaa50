import { Refusal } from '../../core/errors.js'
import type { Role } from '../../core/people/role.js'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * Ends the offer of a project: the owner withdraws it, or the member to whom it is offered declines it. `reader`: the
 * UUID of who asks for it; null: a token of the project. Throws a `Refusal` for anyone else.
 */
export async function endOffer(
  { store, clock }: { store: StoreWith<'projects.cancelTransfer'>; clock: Clock },
  { projectId, role, reader }: { projectId: number; role: Role; reader: string | null },
): Promise<void> {
  if (reader === null) throw new Refusal('forbidden', 'only the project’s owner may do this')
  // Not an offer that the next owner, or the owner to somebody else, made in the meantime.
  const by = role === 'owner' ? { owner: reader } : { to: reader }
  await store.projects.cancelTransfer(projectId, clock.now(), by)
}
