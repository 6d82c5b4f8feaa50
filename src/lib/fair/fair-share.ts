/**
 * Places of which nobody can take so many that others find none: who has taken as many as are free gets no more. So one key alone has
 * half of them, two have a third each, and so on.
 */
export class FairShare<Key> {
  readonly #taken = new Map<Key, number>()
  #inAll = 0

  constructor(private readonly places: number) {}

  /** The number of places that are taken. */
  get taken(): number {
    return this.#inAll
  }

  /** Whether `key` may take a place. */
  hasPlace(key: Key): boolean {
    const free = this.places - this.#inAll
    return free > 0 && (this.#taken.get(key) ?? 0) <= free
  }

  take(key: Key): void {
    this.#inAll++
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1)
  }

  /** Gives a place back that `key` has taken. */
  giveBack(key: Key): void {
    this.#inAll--
    const left = this.#taken.get(key)! - 1
    if (left > 0) this.#taken.set(key, left)
    else this.#taken.delete(key)
  }
}
