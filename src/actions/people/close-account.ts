import type { StoreWith } from '../../storage/store.js'
import { deleteProject } from '../projects/delete-project.js'

/** Deletes an account and the projects that it owns. */
export async function closeAccount(
  store: StoreWith<
    'people.ownedProjectIds' | 'projects.deleteSlice' | 'projects.delete' | 'people.deleteUser'
  >,
  userId: number,
): Promise<void> {
  for (const projectId of await store.people.ownedProjectIds(userId)) await deleteProject(store, projectId)
  await store.people.deleteUser(userId)
}
