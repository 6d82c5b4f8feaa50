import { Refusal } from '../../core/errors.js'
import { plural } from '../../core/text/plural.js'
import type { Store } from '../../storage/store.js'
import { closeAccount } from './close-account.js'
import { findUserByAddress } from './find-user.js'

/** What becomes of the projects that a person owns; null where that was not said. */
export type ProjectsGo = { to: string } | 'too' | null

/**
 * Deletes a person's account. Throws a `Refusal` where nobody has the address, and where the person owns projects and
 * nothing was said of them. Returns how many projects changed hands or were deleted.
 */
export async function deleteUser(store: Store, email: string, projects: ProjectsGo): Promise<number> {
  const user = await findUserByAddress(store, email)
  const owned = (await store.people.ownedProjectIds(user.id)).length
  if (owned > 0 && projects === null) {
    throw new Refusal(
      'conflict',
      `${user.email} owns ${plural(owned, 'project')}: give them to somebody with --projects-to, or delete them with --with-projects`,
    )
  }
  if (projects !== null && projects !== 'too') {
    const heir = await findUserByAddress(store, projects.to)
    if (heir.id === user.id)
      throw new Refusal('invalid', 'the projects cannot go to the account that is deleted')
    await store.people.handProjects(user.id, heir.id)
  }
  await closeAccount(store, user.id)
  return owned
}
