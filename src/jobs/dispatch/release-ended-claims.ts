import type { Clock } from '../../lib/clock.js'
import { hasEnded } from '../../lib/worker-name.js'
import { mayBeOneRow } from '../../storage/errors.js'

/** Claims of one kind, as the store has them. */
interface Claims {
  claimants(): Promise<string[]>
  release(workers: readonly string[], now: number): Promise<void>
}

/**
 * Releases the claims of processes that are known to have ended, so that what they had claimed need not wait for the
 * leases to end. If one cannot be released for its row, all of them wait for that.
 */
export async function releaseEndedClaims(
  { claimants, release }: Claims,
  { clock, worker, onError }: { clock: Clock; worker: string; onError(error: unknown): void },
): Promise<void> {
  const ended = (await claimants()).filter(name => name !== worker && hasEnded(name))
  if (ended.length === 0) return
  try {
    await release(ended, clock.now())
  } catch (error) {
    if (!mayBeOneRow(error)) throw error
    onError(error)
  }
}
