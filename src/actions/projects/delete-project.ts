import type { StoreWith } from '../../storage/store.js'

/** Deletes a project and all that is in it, checks first, a few at a time. Interrupted, it can be asked again. */
export async function deleteProject(
  store: StoreWith<'projects.deleteSlice' | 'projects.delete'>,
  projectId: number,
): Promise<void> {
  while (await store.projects.deleteSlice(projectId));
  await store.projects.delete(projectId)
}
