/** The limit of requests of each token and key, counted by each process for itself. */
import { TokenBuckets } from '../../../lib/http/token-buckets.js'

/** What is left after a request. `waitSeconds`: null if it is allowed. */
export interface Allowance {
  quota: number
  remaining: number
  /** When everything is available again, in seconds. */
  resetSeconds: number
  waitSeconds: number | null
}

const MINUTE_MS = 60_000

/** A token bucket for each caller, filled in a minute. `quota` null: without a limit. */
export class RequestLimits {
  readonly #buckets: TokenBuckets | null

  constructor(private readonly quota: number | null) {
    this.#buckets = quota === null ? null : new TokenBuckets(quota, MINUTE_MS / quota)
  }

  /** Counts a request; null without a limit. */
  take(caller: string, now: number): Allowance | null {
    if (this.quota === null) return null
    const { taken, waitMs, missingMs } = this.#buckets!.take(caller, now)
    return allowance(this.quota, missingMs, taken ? null : waitMs)
  }
}

function allowance(quota: number, missingMs: number, waitMs: number | null): Allowance {
  const used = Math.round((missingMs / MINUTE_MS) * quota)
  return {
    quota,
    remaining: Math.max(0, quota - used),
    resetSeconds: Math.ceil(missingMs / 1000),
    waitSeconds: waitMs === null ? null : Math.max(1, Math.ceil(waitMs / 1000)),
  }
}

/** The headers of draft-ietf-httpapi-ratelimit-headers. */
export function limitHeaders(allowance: Allowance | null): Record<string, string> {
  if (allowance === null) return {}
  const { quota, remaining, resetSeconds, waitSeconds } = allowance
  return {
    'RateLimit-Policy': `"token";q=${quota};w=60`,
    RateLimit: `"token";r=${remaining};t=${resetSeconds}`,
    ...(waitSeconds === null ? {} : { 'Retry-After': String(waitSeconds) }),
  }
}
