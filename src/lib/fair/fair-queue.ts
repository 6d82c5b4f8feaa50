import { TurnQueue } from './turn-queue.js'

/** The maximum numbers of tasks that run at once, in all and of one key. */
export interface AtOnce {
  inAll: number
  perKey: number
}

/** Starts tasks round-robin across keys, and in order of arrival within a key. Unless told otherwise, one runs at a time. */
export class FairQueue<Key = number> {
  readonly #waiting = new TurnQueue<Key, () => Promise<void>>()
  readonly #running = new Map<Key, number>()
  #inAll = 0

  constructor(private readonly atOnce: AtOnce = { inAll: 1, perKey: 1 }) {}

  /** Runs `task` when its turn comes, and returns its result. */
  run<R>(key: Key, task: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(key, async () => {
        try {
          resolve(await task())
        } catch (error) {
          reject(error)
        }
      })
      this.#start()
    })
  }

  #start(): void {
    while (this.#inAll < this.atOnce.inAll) {
      const next = this.#waiting.next(key => this.#runningOf(key) < this.atOnce.perKey)
      if (!next) return
      const { key, one: task } = next
      this.#count(key, 1)
      void task().then(() => {
        this.#count(key, -1)
        this.#start()
      })
    }
  }

  #runningOf(key: Key): number {
    return this.#running.get(key) ?? 0
  }

  #count(key: Key, change: 1 | -1): void {
    this.#inAll += change
    const running = this.#runningOf(key) + change
    if (running > 0) this.#running.set(key, running)
    else this.#running.delete(key)
  }
}
