import { type DeclareDownDeps, declareDown } from '../actions/alerts/declare-down.js'
import { Loop } from './loop.js'

/** Notices silence: sleeps until the earliest deadline it knows and declares down what is due. */
export function goingDownJob(deps: DeclareDownDeps & { onError(error: unknown): void }) {
  const loop = new Loop(() => declareDown(deps), deps.clock, deps.onError)
  let stopListening = () => {}
  return {
    /** How many times it has looked. */
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
