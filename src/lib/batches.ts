export interface BatchLimits {
  /** The maximum number of items in one batch. */
  atOnce: number
  /** The batches of a key under way at once. */
  underWay: number
  /** Whether the items of a batch that failed with `error` are run again, each alone; absent: always. */
  retries?(error: unknown): boolean
}

interface Queued<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Runs items together, such as writes that share a transaction: those that come at once, or while others of their key are under way. */
export class Batches<Key, Item, Result> {
  readonly #keys = new Map<Key, { underWay: number; queue: Queued<Item, Result>[] }>()

  /** `runAll` does all items or none, and returns their results in order. */
  constructor(
    private readonly runAll: (key: Key, items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: BatchLimits,
  ) {}

  /** Runs an item, with those that come with it or with the next batch of its key. Rejects only if it fails by itself, or cannot be retried. */
  async run(key: Key, item: Item): Promise<Result> {
    const own = this.#keys.get(key) ?? { underWay: 0, queue: [] }
    this.#keys.set(key, own)
    const result = new Promise<Result>((resolve, reject) => own.queue.push({ item, resolve, reject }))
    if (own.underWay < this.limits.underWay) {
      own.underWay++
      queueMicrotask(() => this.#empty(key, own))
    }
    return await result
  }

  /** Runs what waits. Never rejects. */
  async #empty(key: Key, own: { underWay: number; queue: Queued<Item, Result>[] }): Promise<void> {
    while (own.queue.length > 0) await this.#runBatch(key, own.queue.splice(0, this.limits.atOnce))
    if (--own.underWay === 0) this.#keys.delete(key)
  }

  async #runBatch(key: Key, batch: readonly Queued<Item, Result>[]): Promise<void> {
    try {
      const results = await this.runAll(
        key,
        batch.map(({ item }) => item),
      )
      for (const [place, { resolve }] of batch.entries()) resolve(results[place]!)
    } catch (error) {
      const isRetried = batch.length > 1 && (this.limits.retries?.(error) ?? true)
      if (isRetried) await Promise.all(batch.map(one => this.#runBatch(key, [one])))
      else for (const { reject } of batch) reject(error)
    }
  }
}
