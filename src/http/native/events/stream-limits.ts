/** The limits of open streams: of one token or key, and of a process. */
const MOST_OF_ONE = 10
const MOST = 300

export class StreamLimits {
  readonly #of = new Map<string, number>()
  #open = 0

  /** Counts a stream of a caller. The returned function ends it; null if too many are open. */
  open(caller: string): (() => void) | null {
    const own = this.#of.get(caller) ?? 0
    if (own >= MOST_OF_ONE || this.#open >= MOST) return null
    this.#open++
    this.#of.set(caller, own + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      this.#open--
      const left = this.#of.get(caller)! - 1
      if (left === 0) this.#of.delete(caller)
      else this.#of.set(caller, left)
    }
  }
}
