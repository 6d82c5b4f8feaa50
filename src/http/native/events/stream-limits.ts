/** The limits of open streams: of one token or key, of the tokens of a project together, and of a process. */
const MOST_OF_ONE = 10
const MOST_OF_PROJECT = 100
const MOST = 300

export class StreamLimits {
  readonly #of = new Map<string, number>()

  /** Counts a stream of a caller in a project. The returned function ends it; null if too many are open. */
  open(caller: string, projectId: number): (() => void) | null {
    const limits = [
      [`${projectId}:${caller}`, MOST_OF_ONE],
      [String(projectId), MOST_OF_PROJECT],
      ['all', MOST],
    ] as const
    if (limits.some(([key, most]) => (this.#of.get(key) ?? 0) >= most)) return null
    for (const [key] of limits) this.#count(key, 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      for (const [key] of limits) this.#count(key, -1)
    }
  }

  #count(key: string, change: 1 | -1): void {
    const now = (this.#of.get(key) ?? 0) + change
    if (now === 0) this.#of.delete(key)
    else this.#of.set(key, now)
  }
}
