/** A map of at most `limit` keys. When it is full, it drops the key that was set longest ago. */
export class RecentMap<K, V> {
  readonly #entries = new Map<K, V>()

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.#entries.size
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  values(): Iterable<V> {
    return this.#entries.values()
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.limit) return
    const [oldest] = this.#entries.keys()
    this.#entries.delete(oldest!)
  }
}
