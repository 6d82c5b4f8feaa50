import { appendTo } from '../append-to.js'

/** What waits for its turn: taken round-robin across keys, and in order of arrival within a key. */
export class TurnQueue<Key, One> {
  readonly #waiting = new Map<Key, One[]>()

  add(key: Key, one: One): void {
    appendTo(this.#waiting, key, one)
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
