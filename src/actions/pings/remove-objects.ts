import { plural } from '../../core/text/plural.js'
import type { ObjectDeps, ObjectTaskResult } from './upload-bodies.js'

/** The maximum number of objects that S3 deletes per request. */
const AT_ONCE = 1_000

/** The pause before another attempt to delete an object. */
const PAUSE_MS = 60_000

/**
 * Deletes objects whose pings were deleted, as many as one request allows. Objects that could not be
 * deleted are due again later.
 */
export async function removeObjects(deps: ObjectDeps, signal: AbortSignal): Promise<ObjectTaskResult> {
  const { store, objects, clock } = deps
  const now = clock.now()
  const claimed = await store.pings.claimRemovals({
    now,
    leaseUntil: now + deps.leaseMs,
    limit: AT_ONCE,
  })
  if (claimed.length === 0) return { done: 0, errors: [] }
  const ids = claimed.map(({ id }) => id)
  let left: Set<string>
  try {
    left = new Set(
      await objects.remove(
        claimed.map(({ key }) => key),
        signal,
      ),
    )
  } catch (error) {
    await store.pings.postponeRemovals(ids, clock.now() + (signal.aborted ? 0 : PAUSE_MS))
    return { done: 0, errors: signal.aborted ? [] : [error] }
  }
  const stayed = claimed.filter(({ key }) => left.has(key)).map(({ id }) => id)
  await store.pings.postponeRemovals(stayed, clock.now() + PAUSE_MS)
  const gone = claimed.filter(({ key }) => !left.has(key)).map(({ id }) => id)
  await store.pings.settleRemovals(gone)
  return {
    done: gone.length,
    errors: stayed.length > 0 ? [new Error(`${plural(stayed.length, 'object')} could not be deleted`)] : [],
  }
}
