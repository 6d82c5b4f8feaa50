import { appendTo } from './append-to.js'

/** Runs tasks one at a time: those of one key in the order in which they came, and the keys in turns. */
export class FairQueue {
  readonly #waiting = new Map<number, (() => Promise<void>)[]>()
  #isRunning = false

  /** Runs `task` when it is its turn; the result is the task's. */
  run<R>(key: number, task: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      appendTo(this.#waiting, key, () => task().then(resolve, reject))
      if (!this.#isRunning) void this.#runAll()
    })
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    for (let next = this.#next(); next; next = this.#next()) await next()
    this.#isRunning = false
  }

  #next(): (() => Promise<void>) | null {
    const [first] = this.#waiting
    if (!first) return null
    const [key, tasks] = first
    const task = tasks.shift()!
    // A key that has had its turn goes behind the others.
    this.#waiting.delete(key)
    if (tasks.length > 0) this.#waiting.set(key, tasks)
    return task
  }
}
