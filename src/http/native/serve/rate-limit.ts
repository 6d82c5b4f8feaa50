/** The limit of requests of each token and key, counted by each process for itself. */

/** What is left after a request. `waitSeconds`: null if it is allowed. */
export interface Allowance {
  quota: number
  remaining: number
  /** When everything is available again, in seconds. */
  resetSeconds: number
  waitSeconds: number | null
}

const MINUTE_MS = 60_000

/** The maximum number of callers that are counted at once. */
const MAX_COUNTED = 10_000

/** A token bucket for each caller: full at first, filled in a minute. `quota` null: without a limit. */
export class RequestLimits {
  /** When each bucket is full again. */
  readonly #fullAt = new Map<string, number>()

  constructor(private readonly quota: number | null) {}

  /** Counts a request; null without a limit. */
  take(caller: string, now: number): Allowance | null {
    const { quota } = this
    if (quota === null) return null
    const each = MINUTE_MS / quota
    // A clock that was set back leaves a bucket empty at most.
    const fullAt = Math.min(Math.max(now, this.#fullAt.get(caller) ?? 0), now + MINUTE_MS)
    const after = fullAt + each
    if (after > now + MINUTE_MS + each / 2) return allowance(quota, fullAt - now, after - now - MINUTE_MS)
    if (this.#fullAt.size >= MAX_COUNTED) this.#forget(now)
    this.#fullAt.set(caller, after)
    return allowance(quota, after - now, null)
  }

  /** Full buckets need not be kept; if that does not suffice, all start full. */
  #forget(now: number): void {
    for (const [caller, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(caller)
    if (this.#fullAt.size >= MAX_COUNTED) this.#fullAt.clear()
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
