import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

/** The pause after a slice, as a multiple of the time that the slice took. */
const REST = 2

export type FinishingStore = StoreWith<
  'projects.markForDeletion' | 'projects.deleteNext' | 'people.closingAccounts' | 'people.deleteUser'
>

/**
 * Goes on with the deletions of projects and accounts that were interrupted, in slices with pauses, until `signal` aborts. Several
 * processes may do so at once.
 */
export async function finishDeletions(
  store: FinishingStore,
  clock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  const accounts = await store.people.closingAccounts()
  for (const userId of accounts) await store.projects.markForDeletion(userId)
  for (let more = true; more && !signal?.aborted; ) {
    const begunAt = clock.now()
    more = await store.projects.deleteNext()
    if (more) await sleep(REST * Math.max(1, clock.now() - begunAt), undefined, { signal })
  }
  if (signal?.aborted) return
  // An account that still has a project, at which another process is at work, is deleted next time.
  for (const userId of accounts) await store.people.deleteUser(userId, clock.now())
}
