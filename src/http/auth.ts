import { Refusal } from '../core/errors.js'
import type { Clock } from '../lib/clock.js'
import { digestOf } from '../lib/secrets/secrets.js'
import type { Authenticated } from '../storage/projects/api-keys.js'
import type { StoreWith } from '../storage/store.js'

/** How long a key that was found is believed: a revoked key stops working within this time. */
const BELIEVED_MS = 1_000

/** The most keys remembered at once. */
const REMEMBERED = 10_000

const KEY_LENGTH = 32

/** Tells whose a key is. */
export class ApiKeys {
  readonly #known = new Map<string, { access: Authenticated; until: number }>()

  constructor(
    private readonly store: StoreWith<'projects.authenticate'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Whose `key` is and what it may do. `needs`: what the request is for. Throws `Refusal('unauthorized')` where
   * there is no key of the right length, no such key, or one that may only read.
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

  /** Whose `key` is, or null. */
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
