import { appendTo } from '../append-to.js'

/** What waits for its turn: taken round-robin across keys, and in order of arrival within a key. */
export class TurnQueue<Key, One> {
  #waiting = new Map<Key, One[]>()

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  add(key: Key, one: One): void {
    appendTo(this.#waiting, key, one)
  }

  /** Puts some back that were taken in vain, in the order in which they were taken: their turns come first. */
  putBack(taken: readonly { key: Key; one: One }[]): void {
    if (taken.length === 0) return
    const waiting = new Map<Key, One[]>()
    for (const { key, one } of taken) appendTo(waiting, key, one)
    for (const [key, some] of this.#waiting) waiting.set(key, [...(waiting.get(key) ?? []), ...some])
    this.#waiting = waiting
  }

  /** Removes and returns the first one of the key whose turn it is, of those that `mayGo`; null if there is none. */
  next(mayGo: (key: Key) => boolean = () => true): { key: Key; one: One } | null {
    for (const [key, some] of this.#waiting) {
      if (!mayGo(key)) continue
      const one = some.shift()!
      // Inserting the key again moves it behind the others.
      this.#waiting.delete(key)
      if (some.length > 0) this.#waiting.set(key, some)
      return { key, one }
    }
    return null
  }
}
