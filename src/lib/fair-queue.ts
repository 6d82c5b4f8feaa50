import { appendTo } from './append-to.js'

/** Runs tasks one at a time: round-robin across keys, and in order of arrival within a key. */
export class FairQueue {
  readonly #waiting = new Map<number, (() => Promise<void>)[]>()
  #isRunning = false

  /** Runs `task` when its turn comes, and returns its result. */
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
    // Inserting the key again moves it behind the others.
    this.#waiting.delete(key)
    if (tasks.length > 0) this.#waiting.set(key, tasks)
    return task
  }
}
