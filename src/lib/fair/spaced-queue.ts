import { FairQueue, withinTurn } from './fair-queue.js'

/** The longest turn and the longest pause (ms): what takes longer probably waits for a lock, and must not hold up the others. */
const LONGEST_MS = 400
/** A shorter task (ms) needs no pause. */
const SHORT_MS = 10

/**
 * Runs costly tasks one at a time, the keys in turn, and after each none for as long as it took: together they take half of the time,
 * however many there are.
 */
export class SpacedQueue<Key> {
  readonly #turns = new FairQueue<Key>()

  /** Runs `task` when its turn comes, and returns its result at once. */
  run<R>(key: Key, task: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      void this.#turns.run(key, async () => {
        const begunAt = performance.now()
        await withinTurn(task().then(resolve, reject), LONGEST_MS)
        const tookMs = performance.now() - begunAt
        if (tookMs >= SHORT_MS) await passed(Math.min(tookMs, LONGEST_MS))
      })
    })
  }
}

function passed(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
