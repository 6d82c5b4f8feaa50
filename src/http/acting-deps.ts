import type { Actor } from '../lib/actor.js'
import { actingStore } from '../storage/events/acting.js'
import type { AppDeps } from './deps.js'

/** What a request works with whose changes `actor` makes. */
export function actingDeps(deps: AppDeps, actor: Actor): AppDeps {
  const store = actingStore(deps.store, actor)
  return { ...deps, store, delivery: { ...deps.delivery, store } }
}
