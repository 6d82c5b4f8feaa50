import { TurnQueue } from './turn-queue.js'

/** The maximum numbers of tasks that run at once, in all and of one key. */
export interface AtOnce {
  inAll: number
  perKey: number
  /** The longest turn (ms): what takes longer probably waits for something, and the next task begins beside it. Absent: a turn lasts as long as its task. */
  longestMs?: number
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
      void withinTurn(task(), this.atOnce.longestMs).then(() => {
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

/** Resolves when the task has ended, or its turn. */
export async function withinTurn(task: Promise<void>, longestMs: number | undefined): Promise<void> {
  if (longestMs === undefined) return await task
  let timer: NodeJS.Timeout | undefined
  await Promise.race([task, new Promise(resolve => (timer = setTimeout(resolve, longestMs)))])
  clearTimeout(timer)
}
