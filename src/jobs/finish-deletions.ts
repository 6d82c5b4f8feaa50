import { type FinishingStore, finishDeletions } from '../actions/instance/finish-deletions.js'
import type { Clock } from '../lib/clock.js'
import { Every } from './every.js'

const MINUTE_MS = 60_000

/** Goes on with interrupted deletions of projects and accounts: at the start, and once a minute with those of other processes. */
export function finishDeletionsJob(deps: {
  store: FinishingStore
  clock: Clock
  onError(error: unknown): void
}) {
  const { store, clock, onError } = deps
  const every = new Every(MINUTE_MS, signal => finishDeletions(store, clock, signal), onError)
  return {
    start() {
      every.start()
      every.now()
    },
    stop: () => every.stop(),
  }
}
