import { type DeclareDownDeps, declareDown } from '../actions/alerts/declare-down.js'
import { Slices } from '../actions/alerts/slices.js'
import type { Changes } from '../lib/changes.js'
import { Loop } from './loop.js'

/** Watches for silence: sleeps until the earliest known deadline and declares down the checks that are due. */
export function goingDownJob(deps: DeclareDownDeps & { changes: Changes; onError(error: unknown): void }) {
  const slices = new Slices()
  const loop = new Loop(() => declareDown({ ...deps, slices }), deps.clock, deps.onError)
  let stopListening = () => {}
  return {
    /** The number of passes so far. */
    looks: () => loop.looks,
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
