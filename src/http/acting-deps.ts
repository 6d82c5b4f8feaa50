import type { ServerResponse } from 'node:http'
import type { Actor } from '../lib/actor.js'
import { actingStore } from '../storage/events/acting.js'
import type { AppDeps } from './deps.js'

/** What a request works with whose changes `actor` makes. What `response` would only show is not read for a client that has left. */
export function actingDeps(deps: AppDeps, actor: Actor, response: ServerResponse): AppDeps {
  const onlyReads = response.req.method === 'GET' || response.req.method === 'HEAD'
  const store = actingStore(deps.store, actor, onlyReads ? () => !response.destroyed : undefined)
  return { ...deps, store, delivery: { ...deps.delivery, store } }
}
