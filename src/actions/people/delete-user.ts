import { Refusal } from '../../core/errors.js'
import { plural } from '../../core/text/plural.js'
import type { Clock } from '../../lib/clock.js'
import type { Store } from '../../storage/store.js'
import { closeAccount } from './close-account.js'
import { findUserByAddress } from './find-user.js'

/**
 * What happens to the projects that a person owns: they go `to` an address, or are deleted too; null: not specified.
 */
export type ProjectsGo = { to: string } | 'too' | null

export interface DeletedUser {
  /** How many projects changed owner or were deleted. */
  projects: number
  /** The address of the new owner if nobody has proven that it is theirs, otherwise null. */
  unprovenOwner: string | null
}

/**
 * Deletes a person's account, and gives its projects away in the same transaction: one in which the person makes more of
 * them cannot keep it. Throws a `Refusal` if there is no user with the address, if the new owner may not have the projects,
 * or if the person owns projects and `projects` is null.
 */
export async function deleteUser(
  store: Store,
  clock: Clock,
  email: string,
  projects: ProjectsGo,
): Promise<DeletedUser> {
  const user = await findUserByAddress(store, email)
  const owned = (await store.people.ownedProjectIds(user.id)).length
  if (owned > 0 && projects === null) throw ownsProjects(user.email, owned)
  if (projects !== null && projects !== 'too') {
    const newOwner = await findUserByAddress(store, projects.to)
    if (newOwner.id === user.id)
      throw new Refusal('invalid', 'the projects cannot go to the account that is deleted')
    const given = await store.people.deleteUserTo(user.id, newOwner.id, clock.now())
    const facts = await store.people.signInFacts({ id: newOwner.id })
    return { projects: given, unprovenOwner: given > 0 && !facts?.emailProven ? newOwner.email : null }
  }
  if (projects === 'too') await closeAccount(store, user.id, clock.now())
  else if (!(await store.people.deleteUser(user.id, clock.now()))) {
    throw ownsProjects(user.email, (await store.people.ownedProjectIds(user.id)).length)
  }
  return { projects: owned, unprovenOwner: null }
}

function ownsProjects(email: string, owned: number): Refusal {
  const then = 'transfer them to another user with --projects-to, or delete them with --with-projects'
  return new Refusal('conflict', `${email} owns ${plural(owned, 'project')}: ${then}`)
}
