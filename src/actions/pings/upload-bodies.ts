import type { Clock } from '../../lib/clock.js'
import type { S3Client } from '../../lib/s3/s3-client.js'
import type { StoreWith } from '../../storage/store.js'

/** The number of bodies claimed and uploaded at a time, and the first and the longest pause after a failure. */
const AT_ONCE = 32
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 300_000

export interface ObjectDeps {
  store: StoreWith<
    | 'pings.claimUploads'
    | 'pings.confirmUploads'
    | 'pings.postponeUploads'
    | 'pings.claimRemovals'
    | 'pings.settleRemovals'
    | 'pings.postponeRemovals'
  >
  objects: Pick<S3Client, 'put' | 'remove'>
  clock: Clock
  /** How long a claim lasts: longer than an exchange may take. */
  leaseMs: number
}

/** The result of one round. */
export interface ObjectTaskResult {
  done: number
  /** The errors of the failed uploads. */
  errors: unknown[]
}

/**
 * Uploads the bodies that are due, a few dozen at most, and notes which arrived. A body that could not be uploaded
 * stays in the database and is due again later; each pause is twice as long as the one before.
 */
export async function uploadBodies(deps: ObjectDeps, signal: AbortSignal): Promise<ObjectTaskResult> {
  const { store, objects, clock } = deps
  const now = clock.now()
  const claimed = await store.pings.claimUploads({ now, leaseUntil: now + deps.leaseMs, limit: AT_ONCE })
  const done: string[] = []
  const errors: unknown[] = []
  await Promise.all(
    claimed.map(async ({ key, body, tries }) => {
      try {
        await objects.put(key, body, signal)
        done.push(key)
      } catch (error) {
        if (!signal.aborted) errors.push(error)
        const pause = signal.aborted ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS)
        await store.pings.postponeUploads([key], clock.now() + pause)
      }
    }),
  )
  await store.pings.confirmUploads(done)
  return { done: done.length, errors }
}
