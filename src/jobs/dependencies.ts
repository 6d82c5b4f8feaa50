/** Ends the holds of dependencies: makes alerts due that a check no longer holds. Decision 0115. */
import type { Clock } from '../lib/clock.js'
import type { StoreWith } from '../storage/store.js'
import { Loop } from './loop.js'

export interface DependenciesDeps {
  store: StoreWith<
    | 'incidents.ended'
    | 'incidents.releaseDependants'
    | 'incidents.someDependant'
    | 'incidents.parentStates'
    | 'incidents.releaseWaiting'
  >
  clock: Clock
  onError(error: unknown): void
}

/**
 * Looks once a second for incidents that have ended and, while a dependency holds something, for pings of the checks on
 * which others depend. Each process does so; what is made due twice is planned twice.
 */
export function dependenciesJob({ store: { incidents }, clock, onError }: DependenciesDeps) {
  let stopped = false
  /** What was last seen of each check on which others depend. Lost at a restart, which then looks at all of them. */
  let seen = new Map<number, string>()
  const loop = new Loop(look, clock, onError)

  async function look(): Promise<null> {
    for (const incident of await incidents.ended(clock.now())) {
      await inSlices(after => incidents.releaseDependants(incident, after, clock.now()))
    }
    seen = await releaseWaiting()
    return null
  }

  /** A check that pinged, or is neither up nor down any more, ends the waits of its dependants. */
  async function releaseWaiting(): Promise<Map<number, string>> {
    const found = new Map<number, string>()
    if (!(await incidents.someDependant())) return found
    for (const parent of await incidents.parentStates()) {
      const state = `${parent.status} ${parent.lastPing}`
      found.set(parent.id, state)
      if (parent.status === 'down' || seen.get(parent.id) === state) continue
      await inSlices(after => incidents.releaseWaiting(parent, after, clock.now()))
    }
    return found
  }

  async function inSlices(release: (after: number) => Promise<{ next: number | null }>): Promise<void> {
    for (let after: number | null = 0; after !== null && !stopped; ) after = (await release(after)).next
  }

  return {
    start() {
      stopped = false
      loop.start()
    },
    async stop() {
      stopped = true
      await loop.stop()
    },
  }
}
