import type { StoreWith } from '../../storage/store.js'
import { type DeletionStore, deleteProjectsOf } from '../projects/delete-project.js'

/** Deletes an account and the projects that it owns. If it is interrupted, it can be called again. */
export async function closeAccount(
  store: DeletionStore & StoreWith<'people.deleteUser'>,
  userId: number,
  now: number,
): Promise<void> {
  // Again for a project that the person got in the meantime.
  do await deleteProjectsOf(store, userId)
  while (!(await store.people.deleteUser(userId, now)))
}
