import type { Clock } from '../../lib/clock.js'
import { hasEnded } from '../../lib/worker-name.js'

/** Claims of one kind, as the store has them. */
interface Claims {
  claimants(): Promise<string[]>
  release(workers: readonly string[], now: number): Promise<void>
}

/**
 * Releases the claims of processes that are known to have ended, so that what they had claimed need not wait for the
 * leases to end.
 */
export async function releaseEndedClaims(
  { claimants, release }: Claims,
  { clock, worker }: { clock: Clock; worker: string },
): Promise<void> {
  const ended = (await claimants()).filter(name => name !== worker && hasEnded(name))
  if (ended.length > 0) await release(ended, clock.now())
}
