import type { Store } from '../../storage/store.js'

/** Deletes a project and all that is in it, checks first, a few at a time. Interrupted, it can be asked again. */
export async function deleteProject(
  store: Pick<Store, 'deleteProjectSlice' | 'deleteProject'>,
  projectId: number,
): Promise<void> {
  while (await store.deleteProjectSlice(projectId));
  await store.deleteProject(projectId)
}
