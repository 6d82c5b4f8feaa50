import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.js'
import type { SetAside } from '../../storage/set-aside.js'
import type { StoreWith } from '../../storage/store.js'

/** The pause after a slice, as a multiple of the time that the slice took. */
const REST = 2

export interface FinishDeletionsDeps {
  store: StoreWith<
    | 'projects.markForDeletion'
    | 'projects.markedForDeletion'
    | 'projects.deleteNext'
    | 'people.closingAccounts'
    | 'people.deleteUser'
  >
  clock: Clock
  /** The projects and users that could not be deleted, for a row that cannot be written or read. */
  aside: { projects: SetAside; users: SetAside }
}

/**
 * Goes on with the deletions of projects and accounts that were interrupted, in slices with pauses, until `signal` aborts. Several
 * processes may do so at once.
 */
export async function finishDeletions(deps: FinishDeletionsDeps, signal?: AbortSignal): Promise<void> {
  const { store, clock, aside } = deps
  for (const userId of await store.people.closingAccounts()) {
    if (signal?.aborted) return
    await aside.users.tryAlone(userId, async () => {
      await deleteProjects(deps, await store.projects.markForDeletion(userId), signal)
      // An account that still has a project is deleted next time: another process is at work at that, or it is set aside.
      if (!signal?.aborted) await store.people.deleteUser(userId, clock.now())
    })
  }
  await deleteProjects(deps, await store.projects.markedForDeletion(), signal)
}

async function deleteProjects(
  deps: FinishDeletionsDeps,
  projectIds: readonly number[],
  signal?: AbortSignal,
): Promise<void> {
  for (const id of projectIds) await deps.aside.projects.tryAlone(id, () => deleteProject(deps, id, signal))
}

async function deleteProject({ store, clock }: FinishDeletionsDeps, id: number, signal?: AbortSignal) {
  while (!signal?.aborted) {
    const begunAt = clock.now()
    if (!(await store.projects.deleteNext(id))) return
    await sleep(REST * Math.max(1, clock.now() - begunAt), undefined, { signal }).catch(() => {})
  }
}
