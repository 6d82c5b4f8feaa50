import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.js'
import type { StoreWith } from '../../storage/store.js'

const DAY_MS = 86_400_000

/** How long events are kept, in days. Decision 0121. */
const EVENT_DAYS = 400

/** The pause after a slice, as a multiple of the time that the slice took. */
const REST = 2

/**
 * Deletes the incidents and silences that ended more than `keepDays` days ago, and old events, in slices with pauses so that pings get their turn,
 * until `signal` aborts.
 */
export async function pruneIncidents(
  store: StoreWith<'incidents.prune' | 'silences.prune' | 'events.prune'>,
  clock: Clock,
  keepDays: number,
  signal?: AbortSignal,
): Promise<void> {
  const prunings = [
    { prune: (before: number) => store.incidents.prune(before), days: keepDays },
    { prune: (before: number) => store.silences.prune(before), days: keepDays },
    { prune: (before: number) => store.events.prune(before), days: EVENT_DAYS },
  ]
  for (const { prune, days } of prunings) {
    for (let more = true; more && !signal?.aborted; ) {
      const begunAt = clock.now()
      more = await prune(begunAt - days * DAY_MS)
      if (more) await sleep(REST * Math.max(1, clock.now() - begunAt), undefined, { signal })
    }
  }
}
