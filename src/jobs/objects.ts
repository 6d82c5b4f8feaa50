import { removeObjects } from '../actions/pings/remove-objects.js'
import { type ObjectDeps, type ObjectTaskResult, uploadBodies } from '../actions/pings/upload-bodies.js'
import type { StoreWith } from '../storage/store.js'
import { Loop } from './loop.js'

/** The pause after a round without success: this long at first, then twice as long, up to a minute. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

export interface ObjectsDeps extends ObjectDeps {
  store: ObjectDeps['store'] & StoreWith<'pings.nextObjectTask'>
  /** Called with each error of the object storage. */
  onFailure(error: unknown): void
  onError(error: unknown): void
}

/** Keeps object storage up to date: uploads waiting bodies and deletes the objects of deleted pings. */
export function objectsJob(deps: ObjectsDeps) {
  const abort = new AbortController()
  const loop = new Loop(look, deps.clock, deps.onError)
  let pausedUntil = Number.NEGATIVE_INFINITY
  let pauseMs = FIRST_PAUSE_MS

  async function look(): Promise<number | null> {
    while (!abort.signal.aborted) {
      const now = deps.clock.now()
      if (now < pausedUntil && pausedUntil - now <= LONGEST_PAUSE_MS) return pausedUntil
      const next = await deps.store.pings.nextObjectTask()
      if (next === null || next > now) return next
      const rounds = [await uploadBodies(deps, abort.signal), await removeObjects(deps, abort.signal)]
      pauseAfterFailure(rounds)
      // Other processes claimed everything that is due.
      if (rounds.every(({ done, errors }) => done === 0 && errors.length === 0)) return null
    }
    return null
  }

  function pauseAfterFailure(rounds: readonly ObjectTaskResult[]): void {
    const errors = rounds.flatMap(round => round.errors)
    for (const error of errors) deps.onFailure(error)
    if (rounds.some(({ done }) => done > 0)) pauseMs = FIRST_PAUSE_MS
    else if (errors.length > 0) {
      pausedUntil = deps.clock.now() + pauseMs
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }

  return {
    start: () => loop.start(),
    /** Aborts the work in progress, which is due again at once, for any process. */
    async stop() {
      abort.abort()
      await loop.stop()
    },
  }
}
