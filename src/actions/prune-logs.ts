import type { Clock } from '../lib/clock.js'
import type { Store } from '../storage/store.js'

/**
 * Prunes the logs of all checks, in slices short enough for pings to come in between, and returns how many
 * pings were deleted.
 */
export async function pruneLogs(store: Pick<Store, 'pruneNext'>, clock: Clock): Promise<number> {
  let deleted = 0
  let after: number | null = 0
  while (after !== null) {
    const step: Awaited<ReturnType<Store['pruneNext']>> = await store.pruneNext(after, clock.now())
    deleted += step.deleted
    after = step.after
  }
  return deleted
}
