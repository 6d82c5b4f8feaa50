import { Refusal } from '../core/errors.js'
import type { Clock } from '../lib/clock.js'
import { importedKeyDigests } from '../lib/secrets/imported-key.js'
import type { SecretKeys } from '../lib/secrets/secret-key.js'
import { digestOf } from '../lib/secrets/secrets.js'
import type { Authenticated } from '../storage/projects/api-keys.js'
import type { StoreWith } from '../storage/store.js'

/** How long a key is cached: a revoked key stops working within this time. */
const CACHED_MS = 1_000

/**
 * How often a stream that is open looks whether another process, such as a command, has ended the right to read it (ms). With
 * a cached key, or the turn of a live page, it ends within five seconds.
 */
export const STREAM_RIGHTS_MS = 4_000

/** The maximum number of cached keys. */
const MAX_CACHED = 10_000

const KEY_LENGTH = 32

/** Authenticates API keys. */
export class ApiKeys {
  readonly #cache = new Map<string, { access: Authenticated; until: number }>()

  constructor(
    private readonly store: StoreWith<'projects.authenticate'>,
    private readonly clock: Clock,
    private readonly secretKeys: SecretKeys,
  ) {}

  /**
   * Returns the project of `key` and what the key allows. `needs`: what the request requires. Throws
   * `Refusal('unauthorized')` if the key is missing, has the wrong length, is unknown, or is read-only for a write.
   * Source: docs/behaviour.md, section 4.2.
   */
  async check(key: string | null, needs: 'ro' | 'rw'): Promise<Authenticated> {
    if (key?.length !== KEY_LENGTH) throw new Refusal('unauthorized', 'missing api key')
    const access = await this.find(key)
    if (!access || (needs === 'rw' && access.kind !== 'rw')) {
      throw new Refusal('unauthorized', 'wrong api key')
    }
    return access
  }

  /** Looks each key up again. */
  forget(): void {
    this.#cache.clear()
  }

  /** The project of `key` and what the key allows, or null. */
  async find(key: string): Promise<Authenticated | null> {
    const digest = digestOf(key)
    const now = this.clock.now()
    const cached = this.#cache.get(digest)
    if (cached && now < cached.until && cached.until <= now + CACHED_MS) return cached.access
    const access = await this.#authenticate(key, digest)
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear()
    if (access) this.#cache.set(digest, { access, until: now + CACHED_MS })
    else this.#cache.delete(digest)
    return access
  }

  async #authenticate(key: string, digest: string): Promise<Authenticated | null> {
    for (const known of [digest, ...importedKeyDigests(this.secretKeys, key)]) {
      const access = await this.store.projects.authenticate(known)
      if (access) return access
    }
    return null
  }
}
