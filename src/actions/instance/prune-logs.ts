import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.js'
import type { Store, StoreWith } from '../../storage/store.js'

/** The pause after a slice, as a multiple of the time that the slice took. */
const REST = 2

/**
 * Prunes the logs of all checks and returns the number of deleted pings. It works in slices with pauses: on SQLite
 * one process writes at a time, so a server that records pings must get its turn soon.
 */
export async function pruneLogs(store: StoreWith<'instance.pruneNext'>, clock: Clock): Promise<number> {
  let deleted = 0
  let after: number | null = 0
  while (after !== null) {
    const begunAt = clock.now()
    const step: Awaited<ReturnType<Store['instance']['pruneNext']>> = await store.instance.pruneNext(
      after,
      begunAt,
    )
    deleted += step.deleted
    after = step.after
    await sleep(REST * Math.max(1, clock.now() - begunAt))
  }
  return deleted
}
