import { Refusal } from '../../core/errors.js'
import type { StoreWith } from '../../storage/store.js'

export type DeletionStore = StoreWith<'projects.markForDeletion' | 'projects.deleteSlice' | 'projects.delete'>

/**
 * Deletes a project and everything in it, checks first, in slices. If it is interrupted, `finishDeletions` goes on with it.
 * Throws a `Refusal` if this person does not own the project any more.
 */
export async function deleteProject(
  store: DeletionStore,
  { projectId, ownerId }: { projectId: number; ownerId: number },
): Promise<void> {
  const marked = await store.projects.markForDeletion(ownerId, projectId)
  if (marked.length === 0) throw new Refusal('forbidden', 'you do not own this project any more')
  await deleteMarked(store, marked)
}

/** Deletes everything that a person owns. */
export async function deleteProjectsOf(store: DeletionStore, ownerId: number): Promise<void> {
  await deleteMarked(store, await store.projects.markForDeletion(ownerId))
}

async function deleteMarked(store: DeletionStore, projectIds: readonly number[]): Promise<void> {
  for (const projectId of projectIds) {
    while (await store.projects.deleteSlice(projectId));
    await store.projects.delete(projectId)
  }
}
