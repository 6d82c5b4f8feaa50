import type { Actor } from '../lib/actor.js'
import { actingStore } from '../storage/events/acting.js'
import type { AppDeps } from './deps.js'

/** What a request works with whose changes `actor` makes. */
export function actingDeps(deps: AppDeps, actor: Actor): AppDeps {
  const { delivery } = deps
  return {
    ...deps,
    store: actingStore(deps.store, actor),
    delivery: { ...delivery, store: actingStore(delivery.store, actor) },
  }
}
