/** Event webhooks: their limits, and what follows an attempt. Decision 0121. */
import type { EventType } from './event-types.js'

export const WEBHOOK_LIMITS = { perProject: 10, nameLength: 100, urlLength: 2_000, attempts: 50 } as const

/** The pause after the first failure; it doubles with each one, up to an hour. */
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 3_600_000

/** A webhook that has been tried for as long, and failed each time, is disabled. */
const GIVE_UP_MS = 3 * 86_400_000

export interface Webhook {
  id: number
  uuid: string
  projectId: number
  name: string
  url: string
  /** Empty: all. */
  types: EventType[]
  enabled: boolean
  /** Failures in a row. */
  failures: number
  /** ms. */
  failingSince: number | null
  lastError: string
  /** When a request last arrived, ms. */
  lastSent: number | null
  createdAt: number
}

/** The state after a failure at `now` (ms). */
export function afterFailure(
  { failures, failingSince }: Pick<Webhook, 'failures' | 'failingSince'>,
  now: number,
): { failures: number; failingSince: number; dueAt: number; givesUp: boolean } {
  return {
    failures: failures + 1,
    failingSince: failingSince ?? now,
    dueAt: now + pauseAfter(failures + 1),
    givesUp: isGivenUp({ failures: failures + 1 }),
  }
}

/** Whether a webhook has failed for so long that it is disabled. Its failures are zero again once it is enabled, or has another address or secret. */
export function isGivenUp({ failures }: Pick<Webhook, 'failures'>): boolean {
  return triedFor(failures) >= GIVE_UP_MS
}

/** The pause (ms) after this many failures in a row. */
function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20), LONGEST_PAUSE_MS)
}

/**
 * How long (ms) a webhook has been tried at its last failure of this many in a row: the pauses between them. What is longer does
 * not count: Punctual did not run, or nothing was to be sent.
 */
function triedFor(failures: number): number {
  let sum = 0
  for (let failure = 1; failure < failures; failure++) sum += pauseAfter(failure)
  return sum
}
