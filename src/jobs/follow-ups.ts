/** Does what follows from changes of many checks, in slices: projects take turns of one transaction each. Decision 0155. */
import type { Clock } from '../lib/clock.js'
import { isLocked } from '../storage/errors.js'
import type { StoreWith } from '../storage/store.js'
import { Loop } from './loop.js'

export interface FollowUpsDeps {
  store: StoreWith<'alerts.nextFollowUp' | 'alerts.followUp'>
  clock: Clock
  onError(error: unknown): void
}

/** Looks once a second. What fails, and what is locked, is left to the next look, with what else its project has. */
export function followUpsJob({ store: { alerts }, clock, onError }: FollowUpsDeps) {
  let stopped = false
  const loop = new Loop(look, clock, onError)

  async function look(): Promise<null> {
    const failed = new Set<number>()
    let from = 0
    while (!stopped) {
      const next = await alerts.nextFollowUp(from, [...failed])
      if (next === null) break
      from = next.projectId
      try {
        await alerts.followUp(next, clock.now())
      } catch (error) {
        failed.add(next.projectId)
        if (!isLocked(error)) onError(error)
      }
    }
    return null
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
