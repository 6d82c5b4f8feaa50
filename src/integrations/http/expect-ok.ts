import { DeliveryError } from '../integration.js'
import type { HttpAnswer } from '../transports.js'

const ACCEPTED = [200, 201, 202, 204]

/**
 * Statuses with which a proxy answers for a receiver that is away, or a receiver that cannot take any message now. After
 * any other, the next message may arrive. 520 to 530 are those of Cloudflare.
 * Source: RFC 9110, section 15; https://developers.cloudflare.com/support/troubleshooting/http-status-codes/
 */
const AWAY = [408, 425, 429, 502, 503, 504]
const isAway = (status: number) => AWAY.includes(status) || (status >= 520 && status <= 530)

/** Statuses that may come with a Retry-After header. */
const LATER = [429, 503]

/**
 * Returns the response if its status means success. Otherwise throws `DeliveryError`, which is permanent for the
 * statuses in `permanent`. Source: docs/behaviour.md, section 8.2.
 */
export function expectOk(
  answer: HttpAnswer,
  options: {
    permanent?: readonly number[]
    /** How long to wait, in ms, if the service does not say so in the header. */
    laterMs?: number | null
  } = {},
): HttpAnswer {
  const { status } = answer
  if (ACCEPTED.includes(status)) return answer
  const permanent = options.permanent?.includes(status) ?? false
  const wait = LATER.includes(status) ? (retryAfterMs(answer) ?? options.laterMs ?? null) : null
  throw new DeliveryError(`Received status code ${status}`, {
    permanent,
    ...(isAway(status) ? {} : { answered: true }),
    ...(wait === null ? {} : { retryAfterMs: wait }),
  })
}

/** A date of a header. Source: RFC 9110, section 5.6.7, without the form of `asctime`, which names no zone. */
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, [\w -]+ \d\d:\d\d:\d\d GMT$/

/**
 * How long the receiver asks to wait, in ms, or null. The Retry-After header has a number of seconds or a date.
 * Source: RFC 9110, section 10.2.3.
 */
export function retryAfterMs({ headers, receivedAt }: HttpAnswer): number | null {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  // Without a look at its form, "try after 2030" would be a date too.
  const date = DATE.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - receivedAt)
}
