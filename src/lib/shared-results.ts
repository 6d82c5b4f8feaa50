import { RecentMap } from './recent-map.js'

/**
 * Results that are shared for a moment by everything that asks for the same key: those of the last `most` keys, for
 * `forMs` after each was asked for first. Failures are shared only with those who already wait.
 */
export class SharedResults<K, R> {
  readonly #owners = new WeakMap<object, RecentMap<K, { at: number; result: Promise<R> }>>()

  constructor(
    private readonly forMs: number,
    private readonly most: number,
  ) {}

  /** The result for `key` at `now` (ms), made by `make` unless shared. `owner`: whose results they are, such as a store. */
  get(owner: object, key: K, now: number, make: () => Promise<R>): Promise<R> {
    const results = this.#owners.get(owner) ?? new RecentMap<K, { at: number; result: Promise<R> }>(this.most)
    this.#owners.set(owner, results)
    const known = results.get(key)
    if (known && known.at <= now && now - known.at < this.forMs) return known.result
    const entry = { at: now, result: make() }
    results.set(key, entry)
    entry.result.catch(() => {
      if (results.get(key) === entry) results.delete(key)
    })
    return entry.result
  }
}
