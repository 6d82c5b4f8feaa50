import type { StoreWith } from '../../storage/store.js'

/** Deletes a project and everything in it, checks first, in slices. If it is interrupted, it can be called again. */
export async function deleteProject(
  store: StoreWith<'projects.deleteSlice' | 'projects.delete'>,
  projectId: number,
): Promise<void> {
  while (await store.projects.deleteSlice(projectId));
  await store.projects.delete(projectId)
}
