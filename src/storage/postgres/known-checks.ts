import { RecentMap } from '../../lib/recent-map.js'
import type { LoadedCheck } from '../dialect.js'
import { REMEMBERED_CHECKS } from '../remembered.js'

interface Known {
  check: LoadedCheck
  version: string
  /** When that was so (ms, of a clock that is never set). */
  at: number
}

/** Numbers of transactions come again after four thousand million, so nothing is remembered for longer (ms). */
const LONGEST_MS = 3_600_000

/**
 * Memory is for the rush. After a pause as long (ms) the first batch is recorded in the way that notices a connection
 * that died meanwhile while it can still be tried again.
 */
const PAUSE_MS = 5_000

/** How much one check counts for how often memory was right, and how often it has to be to be relied on. */
const WEIGHT = 0.01
const RELIABLE = 0.8

/**
 * The checks that this process took pings for, as it left them. Other processes may have changed them since, so
 * whoever uses this saves with the version, by which the server sees whether that is so.
 */
export class KnownChecks {
  readonly #known = new RecentMap<string, Known>(REMEMBERED_CHECKS)
  #right = 1
  /** When a check was last put into memory. */
  #usedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * What is known of a check; nothing after a pause, and while other processes change so many that asking first is
   * quicker.
   */
  get(uuid: string): Known | undefined {
    const now = this.now()
    if (this.#right < RELIABLE || now - this.#usedAt >= PAUSE_MS) return undefined
    const known = this.#known.get(uuid)
    return known && now - known.at < LONGEST_MS ? known : undefined
  }

  /** A check was read and locked. */
  loaded(check: LoadedCheck, version: string): void {
    const known = this.#known.get(check.uuid)
    if (known) this.#learn(known.version === version)
    this.#put(check, version)
  }

  /** A check was saved without having been known, in a transaction that is still to be committed. */
  saved(check: LoadedCheck, version: string): void {
    this.#put(check, version)
  }

  /** A check that was known was saved as this version, or, with null, was no longer as it was known. */
  used(check: LoadedCheck, version: string | null): void {
    this.#learn(version !== null)
    if (version === null) this.#known.delete(check.uuid)
    else this.#put(check, version)
  }

  #learn(right: boolean): void {
    this.#right += ((right ? 1 : 0) - this.#right) * WEIGHT
  }

  /** Forgets everything: the server may have lost what it said. */
  clear(): void {
    this.#known.clear()
  }

  #put(check: LoadedCheck, version: string): void {
    this.#usedAt = this.now()
    this.#known.set(check.uuid, { check, version, at: this.#usedAt })
  }
}
