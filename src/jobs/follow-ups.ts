/** Does what follows from changes of many checks, in slices: projects take turns of one transaction each. Decision 0155. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../lib/clock.js'
import { isLocked } from '../storage/errors.js'
import type { StoreWith } from '../storage/store.js'
import { Loop } from './loop.js'

export interface FollowUpsDeps {
  store: StoreWith<'alerts.nextFollowUp' | 'alerts.followUp'>
  clock: Clock
  /** Waits so long (ms) after each slice. */
  pause?: (ms: number) => Promise<unknown>
  onError(error: unknown): void
}

/** The longest pause (ms) after a slice, which is as long as the slice took: nobody waits for what follows, and others write in the meantime. */
const LONGEST_PAUSE_MS = 500

/** Looks once a second. What fails, and what is locked, is left to the next look, with what else its project has. */
export function followUpsJob({ store: { alerts }, clock, pause = sleep, onError }: FollowUpsDeps) {
  let stopped = false
  const loop = new Loop(look, clock, onError)

  async function look(): Promise<null> {
    const failed = new Set<number>()
    let from = 0
    while (!stopped) {
      const next = await alerts.nextFollowUp(from, [...failed])
      if (next === null) break
      from = next.projectId
      const begunAt = performance.now()
      try {
        await alerts.followUp(next, clock.now())
      } catch (error) {
        failed.add(next.projectId)
        if (!isLocked(error)) onError(error)
      }
      await pause(Math.min(performance.now() - begunAt, LONGEST_PAUSE_MS))
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
