import { type DeclareDownDeps, declareDown } from '../actions/alerts/declare-down.js'
import { SILENT_AFTER_MS } from '../core/instance/beats.js'
import type { Changes } from '../lib/changes.js'
import { Slices, TRANSACTION_MS } from '../lib/slices.js'
import { type Failed, SetAside } from '../storage/set-aside.js'
import { Loop } from './loop.js'

export interface GoingDownDeps extends Omit<DeclareDownDeps, 'slices' | 'aside' | 'onJudged'> {
  changes: Changes
  /**
   * Called once when deadlines have waited for long, because no process, or not each that accepts pings, says that every ping
   * since `since` (ms) is on disk; and with null when they are judged again.
   */
  onUnheard(since: number | null): void
  /** Called when a check cannot be judged, for a row that cannot be written or read. */
  onSetAside(failed: Failed): void
  onError(error: unknown): void
}

/** Watches for silence: sleeps until the earliest known deadline and declares down the checks that are due. */
export function goingDownJob(deps: GoingDownDeps) {
  const slices = new Slices(TRANSACTION_MS.goingDown)
  const aside = new SetAside('check', deps.onSetAside)
  let isUnheard = false
  const onJudged = (heardUntil: number, now: number) => {
    const was = isUnheard
    isUnheard = now - heardUntil > SILENT_AFTER_MS
    if (isUnheard !== was) deps.onUnheard(isUnheard ? heardUntil : null)
  }
  const loop = new Loop(() => declareDown({ ...deps, slices, aside, onJudged }), deps.clock, deps.onError)
  let stopListening = () => {}
  return {
    /** The number of passes so far. */
    looks: () => loop.looks,
    /** The number of checks that cannot be judged. */
    setAside: () => aside.ids.length,
    start() {
      stopListening = deps.changes.on('deadline', ({ at }) => loop.wakeAt(at))
      loop.start()
    },
    async stop() {
      stopListening()
      await loop.stop()
    },
  }
}
