import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

const DAY_MS = 86_400_000

/** The pause after a slice, as a multiple of the time that the slice took. */
const REST = 2

/**
 * Deletes the incidents and silences that ended more than `keepDays` days ago, in slices with pauses so that pings get their turn,
 * until `signal` aborts.
 */
export async function pruneIncidents(
  store: StoreWith<'incidents.prune' | 'silences.prune'>,
  clock: Clock,
  keepDays: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = clock.now() - keepDays * DAY_MS
  for (const { prune } of [store.incidents, store.silences]) {
    for (let more = true; more && !signal?.aborted; ) {
      const begunAt = clock.now()
      more = await prune(before)
      if (more) await sleep(REST * Math.max(1, clock.now() - begunAt), undefined, { signal })
    }
  }
}
