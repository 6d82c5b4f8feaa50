/** Ends the holds of dependencies: makes alerts due that a check no longer holds. Decision 0115. */
import type { Clock } from '../lib/clock.js'
import { isLocked } from '../storage/errors.js'
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
    const locked = new Set<number>()
    let known: number
    do {
      known = locked.size
      for (const incident of await incidents.ended(clock.now(), [...locked])) {
        const release = (after: number) => incidents.releaseDependants(incident, after, clock.now())
        await unlessLocked(locked, incident, release)
      }
      // Very many of a project that is locked may have kept those of others from being found.
    } while (locked.size > known)
    seen = await releaseWaiting(locked)
    return null
  }

  /** A check that pinged, or is neither up nor down any more, ends the waits of its dependants. */
  async function releaseWaiting(locked: Set<number>): Promise<Map<number, string>> {
    const found = new Map<number, string>()
    if (!(await incidents.someDependant())) return found
    for (const parent of await incidents.parentStates()) {
      const state = `${parent.status} ${parent.lastPing}`
      const isOver = parent.status !== 'down' && seen.get(parent.id) !== state
      const release = (after: number) => incidents.releaseWaiting(parent, after, clock.now())
      if (!isOver || (await unlessLocked(locked, parent, release))) found.set(parent.id, state)
    }
    return found
  }

  /**
   * Releases what is about a project, unless another transaction has locked something of it: then it joins `locked`, and waits
   * for the next look, so that others do not wait for it. Returns whether it was released.
   */
  async function unlessLocked(
    locked: Set<number>,
    { projectId }: { projectId: number },
    release: (after: number) => Promise<{ next: number | null }>,
  ): Promise<boolean> {
    if (locked.has(projectId)) return false
    try {
      for (let after: number | null = 0; after !== null && !stopped; ) after = (await release(after)).next
      return true
    } catch (error) {
      if (!isLocked(error)) throw error
      locked.add(projectId)
      return false
    }
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
