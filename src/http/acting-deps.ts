import type { ServerResponse } from 'node:http'
import type { Actor } from '../lib/actor.js'
import { type AccessLook, actingStore } from '../storage/events/acting.js'
import type { AppDeps } from './deps.js'

/** How long (ms) a look at what a caller may do counts for what the request does next. */
const LOOK_COUNTS_MS = 100

/**
 * What a request works with whose changes `actor` makes. What `response` would only show is not read for a client that has left.
 * `look`: see `accessLook`; what has waited is not written without a new one. Absent: nobody can end the access.
 */
export function actingDeps(
  deps: AppDeps,
  actor: Actor,
  response: ServerResponse,
  look?: AccessLook,
): AppDeps {
  const onlyReads = response.req.method === 'GET' || response.req.method === 'HEAD'
  const store = actingStore(deps.store, actor, {
    ...(onlyReads && { isWanted: () => !response.destroyed }),
    ...look,
  })
  return { ...deps, store, delivery: { ...deps.delivery, store } }
}

/**
 * `look` rejects if the caller may not do any more what a request was admitted for, as it would not be admitted now. It is repeated
 * only some time after the last one, and never once the request itself has changed what it was admitted by: what follows finishes it.
 */
export function accessLook(look: () => Promise<unknown>): AccessLook {
  let seenAt = performance.now()
  return {
    async requireAccess() {
      const now = performance.now()
      if (now - seenAt < LOOK_COUNTS_MS) return
      await look()
      seenAt = now
    },
    finish() {
      seenAt = Number.POSITIVE_INFINITY
    },
  }
}
