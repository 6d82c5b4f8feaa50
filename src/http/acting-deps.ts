import type { ServerResponse } from 'node:http'
import type { Actor } from '../lib/actor.js'
import { actingStore } from '../storage/events/acting.js'
import type { AppDeps } from './deps.js'

/** How long (ms) a look at what a caller may do counts for what the request does next. */
const LOOK_COUNTS_MS = 100

/**
 * What a request works with whose changes `actor` makes. What `response` would only show is not read for a client that has left.
 * `look` rejects if the actor may not do any more what the request was admitted for, as it would not be admitted now. What has waited
 * is not written without a new look; absent: nobody can end the access.
 */
export function actingDeps(
  deps: AppDeps,
  actor: Actor,
  response: ServerResponse,
  look?: () => Promise<unknown>,
): AppDeps {
  const onlyReads = response.req.method === 'GET' || response.req.method === 'HEAD'
  const store = actingStore(deps.store, actor, {
    ...(onlyReads && { isWanted: () => !response.destroyed }),
    ...(look && { requireAccess: unlessJustSeen(look) }),
  })
  return { ...deps, store, delivery: { ...deps.delivery, store } }
}

function unlessJustSeen(look: () => Promise<unknown>): () => Promise<void> {
  let seenAt = performance.now()
  return async () => {
    const now = performance.now()
    if (now - seenAt < LOOK_COUNTS_MS) return
    await look()
    seenAt = now
  }
}
