import type { StoreWith } from '../../storage/store.js'
import { type DeletionStore, deleteProjectsOf } from '../projects/delete-project.js'

/**
 * Closes an account: it is disabled, its projects are deleted, then the account. If it is interrupted, `finishDeletions` goes on
 * with it.
 */
export async function closeAccount(
  store: DeletionStore & StoreWith<'people.beginClosing' | 'people.deleteUser'>,
  userId: number,
  now: number,
): Promise<void> {
  await store.people.beginClosing(userId, now)
  // Again for a project that the person got in the meantime.
  do await deleteProjectsOf(store, userId)
  while (!(await store.people.deleteUser(userId, now)))
}
