import { RecentMap } from '../../lib/recent-map.js'
import type { LoadedCheck } from '../dialect.js'
import { REMEMBERED_CHECKS } from '../remembered.js'

interface Known {
  check: LoadedCheck
  version: string
  /** When it was cached (ms, on the monotonic clock). */
  at: number
}

/** The longest that a check is cached (ms): transaction IDs repeat after four billion. */
const LONGEST_MS = 3_600_000

/**
 * The cache is for busy times. After a pause of this length (ms), the first batch does not use it, so that a
 * connection that died in the meantime is noticed while a retry is possible.
 */
const PAUSE_MS = 5_000

/** The weight of one check in the hit rate, and the hit rate below which the cache is not used. */
const WEIGHT = 0.01
const RELIABLE = 0.8

/**
 * A cache of the checks that this process recorded pings for. Other processes may have changed them, so they are
 * saved with their version, which the server compares.
 */
export class KnownChecks {
  readonly #known = new RecentMap<string, Known>(REMEMBERED_CHECKS)
  #hitRate = 1
  /** When a check was last cached. */
  #usedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A cached check; undefined after a pause, or while other processes change so many that reading first is faster. */
  get(uuid: string): Known | undefined {
    const now = this.now()
    if (this.#hitRate < RELIABLE || now - this.#usedAt >= PAUSE_MS) return undefined
    const known = this.#known.get(uuid)
    return known && now - known.at < LONGEST_MS ? known : undefined
  }

  /** Notes that a check was read and locked. */
  loaded(check: LoadedCheck, version: string): void {
    const known = this.#known.get(check.uuid)
    if (known) this.#noteHit(known.version === version)
    this.#put(check, version)
  }

  /** Notes that an uncached check was saved, in a transaction that is not committed yet. */
  saved(check: LoadedCheck, version: string): void {
    this.#put(check, version)
  }

  /** Notes that a cached check was saved as this version or, with null, was found to have changed. */
  used(check: LoadedCheck, version: string | null): void {
    this.#noteHit(version !== null)
    if (version === null) this.#known.delete(check.uuid)
    else this.#put(check, version)
  }

  #noteHit(right: boolean): void {
    this.#hitRate += ((right ? 1 : 0) - this.#hitRate) * WEIGHT
  }

  /** Clears the cache: the server may have lost transactions. */
  clear(): void {
    this.#known.clear()
  }

  #put(check: LoadedCheck, version: string): void {
    this.#usedAt = this.now()
    this.#known.set(check.uuid, { check, version, at: this.#usedAt })
  }
}
