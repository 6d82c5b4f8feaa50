import type { Store } from '../../storage/store.js'
import { deleteProject } from '../projects/delete-project.js'

/** Deletes somebody's account with the projects that they own. */
export async function closeAccount(
  store: Pick<Store, 'ownedProjectIds' | 'deleteProjectSlice' | 'deleteProject' | 'deleteUser'>,
  userId: number,
): Promise<void> {
  for (const projectId of await store.ownedProjectIds(userId)) await deleteProject(store, projectId)
  await store.deleteUser(userId)
}
