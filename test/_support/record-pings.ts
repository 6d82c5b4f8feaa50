import { setTimeout as sleep } from 'node:timers/promises'
import type { ArrivedPing, RecordedPings } from '../../src/core/pings/arrived-ping.js'
import type { Store } from '../../src/storage/store.js'

/** Records pings, those that are locked once they are not, as the queue does. */
export async function recordPings(store: Store, pings: readonly ArrivedPing[]): Promise<RecordedPings> {
  const recorded = await store.pings.record(pings)
  const places = [...(recorded.locked?.keys() ?? [])]
  if (places.length === 0) return recorded
  await sleep(5)
  const later = await recordPings(
    store,
    places.map(place => pings[place]!),
  )
  const outcomes = [...recorded.outcomes]
  for (const [at, place] of places.entries()) outcomes[place] = later.outcomes[at]!
  return { ...recorded, outcomes, alerts: recorded.alerts || later.alerts }
}
