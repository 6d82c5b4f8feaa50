import { Refusal } from '../../../core/errors.js'
import type { Clock } from '../../../lib/clock.js'
import { isApiToken } from '../../../lib/secrets/api-token.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { KnownToken } from '../../../storage/projects/api-tokens.js'
import type { StoreWith } from '../../../storage/store.js'
import type { ApiKeys } from '../../auth.js'
import { callerOf, callerWithKey } from './access.js'
import type { Caller } from './caller.js'

/** How long a token is cached: a revoked token stops working within this time, as a key does. */
const CACHED_MS = 1_000
const MAX_CACHED = 10_000

/** How often the last use of a token is written. */
const NOTED_EVERY_MS = 3_600_000

type Tokens = StoreWith<'projects.findApiToken' | 'projects.noteTokenUse'>

/** Authenticates API tokens, and the keys of projects. */
export class Callers {
  readonly #cache = new Map<string, { token: KnownToken; until: number }>()

  constructor(
    private readonly keys: ApiKeys,
    private readonly store: Tokens,
    private readonly clock: Clock,
  ) {}

  /** Who sends this token or key, from `address`. Throws `Refusal('unauthorized')` if it is unknown or has expired. */
  async find(credential: string, address: string): Promise<Caller> {
    if (!isApiToken(credential)) return callerWithKey(await this.keys.check(credential, 'ro'), address)
    const token = await this.#token(digestOf(credential))
    const now = this.clock.now()
    if (!token) throw new Refusal('unauthorized', 'wrong API token')
    if (token.expiresAt !== null && now >= token.expiresAt) {
      throw new Refusal('unauthorized', 'the API token has expired')
    }
    if (Math.abs(now - (token.usedAt ?? 0)) >= NOTED_EVERY_MS) {
      token.usedAt = now
      await this.store.projects.noteTokenUse(token.id, now)
    }
    return callerOf(token, address)
  }

  /** Looks each token and key up again, because one may have been revoked. */
  forget(): void {
    this.#cache.clear()
    this.keys.forget()
  }

  async #token(digest: string): Promise<KnownToken | null> {
    const now = this.clock.now()
    const cached = this.#cache.get(digest)
    if (cached && now < cached.until && cached.until <= now + CACHED_MS) return cached.token
    const token = await this.store.projects.findApiToken(digest)
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear()
    if (token) this.#cache.set(digest, { token, until: now + CACHED_MS })
    else this.#cache.delete(digest)
    return token
  }
}

/** The token or key in the headers; `X-Api-Key` decides if it is present. Throws `Refusal('unauthorized')` without one. */
export function credentialIn(header: (name: string) => string | null): string {
  const own = header('X-Api-Key')
  const credential = own ?? /^Bearer (\S+)$/i.exec(header('Authorization') ?? '')?.[1]
  if (!credential) throw new Refusal('unauthorized', 'missing api key')
  return credential
}
