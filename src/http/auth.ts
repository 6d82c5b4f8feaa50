import { Refusal } from '../core/errors.js'
import type { Clock } from '../lib/clock.js'
import { digestOf } from '../lib/secrets/secrets.js'
import type { Authenticated } from '../storage/projects/api-keys.js'
import type { StoreWith } from '../storage/store.js'

/** How long a key is cached: a revoked key stops working within this time. */
const BELIEVED_MS = 1_000

/** The maximum number of cached keys. */
const REMEMBERED = 10_000

const KEY_LENGTH = 32

/** Authenticates API keys. */
export class ApiKeys {
  readonly #known = new Map<string, { access: Authenticated; until: number }>()

  constructor(
    private readonly store: StoreWith<'projects.authenticate'>,
    private readonly clock: Clock,
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

  /** The project of `key` and what the key allows, or null. */
  async find(key: string): Promise<Authenticated | null> {
    const digest = digestOf(key)
    const now = this.clock.now()
    const known = this.#known.get(digest)
    if (known && now < known.until && known.until <= now + BELIEVED_MS) return known.access
    const access = await this.store.projects.authenticate(digest)
    if (this.#known.size >= REMEMBERED) this.#known.clear()
    if (access) this.#known.set(digest, { access, until: now + BELIEVED_MS })
    else this.#known.delete(digest)
    return access
  }
}
