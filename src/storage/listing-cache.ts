/** The most bytes of listings that are cached. */
const CACHE_BYTES = 32 * 1024 * 1024

interface CachedListing {
  state: string
  bytes: Uint8Array
}

/**
 * Finished listings, each with the state of its data: as long as that is the same, the listing is current. So a
 * client that reads a log every minute costs one look at the ends of the log rather than all its rows. The least
 * recently used listings are dropped.
 */
export class ListingCache {
  readonly #listings = new Map<string, CachedListing>()
  #size = 0

  /** The listing under `key`, in a buffer of its own, if it was made in `state`. */
  get(key: string, state: string): Uint8Array | undefined {
    const found = this.#listings.get(key)
    if (found?.state !== state) return undefined
    this.#listings.delete(key)
    this.#listings.set(key, found)
    return found.bytes.slice()
  }

  put(key: string, state: string, bytes: Uint8Array): void {
    this.#forget(key)
    this.#listings.set(key, { state, bytes: bytes.slice() })
    this.#size += bytes.length
    for (const oldest of this.#listings.keys()) {
      if (this.#size <= CACHE_BYTES) break
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    this.#size -= this.#listings.get(key)?.bytes.length ?? 0
    this.#listings.delete(key)
  }
}
