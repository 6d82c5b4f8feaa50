import type { Clock } from '../../lib/clock.js'
import { hasEnded } from '../../lib/worker-name.js'
import type { Store } from '../../storage/store.js'

/** Gives back what was claimed by processes that are known to have ended, so that nobody waits for their leases. */
export async function releaseOfDead({
  store,
  clock,
  worker,
}: {
  store: Pick<Store, 'claimants' | 'releaseClaims'>
  clock: Clock
  worker: string
}): Promise<void> {
  const claimants = await store.claimants()
  const ended = claimants.filter(name => name !== worker && hasEnded(name))
  if (ended.length > 0) await store.releaseClaims(ended, clock.now())
}
