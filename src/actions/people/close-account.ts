import type { StoreWith } from '../../storage/store.js'
import { deleteProject } from '../projects/delete-project.js'

/** Deletes somebody's account with the projects that they own. */
export async function closeAccount(
  store: StoreWith<
    'people.ownedProjectIds' | 'projects.deleteSlice' | 'projects.delete' | 'people.deleteUser'
  >,
  userId: number,
): Promise<void> {
  for (const projectId of await store.people.ownedProjectIds(userId)) await deleteProject(store, projectId)
  await store.people.deleteUser(userId)
}
