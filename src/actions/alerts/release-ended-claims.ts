import type { Clock } from '../../lib/clock.js'
import { hasEnded } from '../../lib/worker-name.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * Releases the claims of processes that are known to have ended, so that their deliveries need not wait for the
 * leases to end.
 */
export async function releaseEndedClaims({
  store,
  clock,
  worker,
}: {
  store: StoreWith<'alerts.claimants' | 'alerts.releaseClaims'>
  clock: Clock
  worker: string
}): Promise<void> {
  const claimants = await store.alerts.claimants()
  const ended = claimants.filter(name => name !== worker && hasEnded(name))
  if (ended.length > 0) await store.alerts.releaseClaims(ended, clock.now())
}
