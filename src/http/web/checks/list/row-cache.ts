import type { TimedHtml } from '../../../../views/timed-html.js'

/** The most rows that are kept, of a few kilobytes each. */
const MOST_ROWS = 4_000

interface CachedRow {
  /** Everything that the row depends on besides the time. */
  version: string
  /** When it is out of date all the same (ms). */
  until: number
  html: TimedHtml
}

/** Rows of lists of checks, so that only those that have changed are read and rendered again. */
export class RowCache {
  readonly #rows = new Map<string, CachedRow>()

  /** The row under `key`, or undefined if it was not made for `version` or is out of date at `now`. */
  get(key: string, version: string, now: number): TimedHtml | undefined {
    const found = this.#rows.get(key)
    if (found?.version !== version || now >= found.until) return undefined
    // The last used rows stand last.
    this.#rows.delete(key)
    this.#rows.set(key, found)
    return found.html
  }

  put(key: string, row: CachedRow): void {
    this.#rows.delete(key)
    this.#rows.set(key, row)
    if (this.#rows.size > MOST_ROWS) this.#rows.delete(this.#rows.keys().next().value!)
  }
}
