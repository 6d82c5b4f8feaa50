import { TokenBuckets } from '../../../lib/http/token-buckets.js'

/** The limits of open streams: of one token or key, of the tokens of a project together, and of a process. */
const MOST_OF_ONE = 10
const MOST_OF_PROJECT = 100
const MOST = 300

/** How soon readers open a stream again that has ended. */
export const RETRY_MS = 2_000

/** How often each of the streams that may be open may be opened at once. */
const AT_ONCE = 10

/** How often streams may be opened of which `most` may be open: all of them again as often as readers do it by themselves. */
const openings = (most: number) => new TokenBuckets(most * AT_ONCE, RETRY_MS / most)

export class StreamLimits {
  readonly #of = new Map<string, number>()
  readonly #openedByOne = openings(MOST_OF_ONE)
  readonly #openedInProject = openings(MOST_OF_PROJECT)

  /**
   * Counts a stream of a caller in a project at `now` (ms). The returned function ends it; null if too many are open, or were opened a
   * moment ago.
   */
  open(caller: string, projectId: number, now: number): (() => void) | null {
    const [own, project] = [`${projectId}:${caller}`, String(projectId)]
    const limits = [
      [own, MOST_OF_ONE],
      [project, MOST_OF_PROJECT],
      ['all', MOST],
    ] as const
    if (limits.some(([key, most]) => (this.#of.get(key) ?? 0) >= most)) return null
    // In this order, so that a token that is refused uses up nothing of the others.
    if (!this.#openedByOne.take(own, now).taken || !this.#openedInProject.take(project, now).taken)
      return null
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
