import { Refusal, type RefusalCode } from '../core/errors.js'
import { isUnavailable } from '../storage/errors.js'

/** The response for an error. */
export interface Failure {
  status: number
  message: string
  /** Says when to try again. */
  headers: Readonly<Record<string, string>>
}

/** A sender who has to slow down. `waitSeconds`: when to try again. */
export class TooManyRequests extends Refusal {
  constructor(
    readonly waitSeconds: number,
    message = 'too many requests from your network: wait a moment and try again',
  ) {
    super('too-many', message)
  }
}

/** The header of a response with status 503: with `curl --retry 5` a job gets over 50 seconds in which nothing can be written. */
export const RETRY_SOON = { 'Retry-After': '10' }

const STATUSES: Record<RefusalCode, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  limit: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'too-many': 429,
  unavailable: 503,
}

/** When to try again what failed with this error, as headers. */
export function retryHeaders(error: unknown): Readonly<Record<string, string>> {
  if (error instanceof TooManyRequests) return { 'Retry-After': String(error.waitSeconds) }
  return isUnavailable(error) || (error instanceof Refusal && error.code === 'unavailable') ? RETRY_SOON : {}
}

/**
 * Converts an error to a response: a refusal to its status and message. Any other error is reported to `onError` once,
 * and the response has no details.
 */
export function failureOf(error: unknown, onError: (error: unknown) => void): Failure {
  const headers = retryHeaders(error)
  if (error instanceof Refusal) return { status: STATUSES[error.code], message: error.message, headers }
  onError(error)
  if (isUnavailable(error)) return { status: 503, message: 'try again later', headers }
  return { status: 500, message: 'internal error', headers }
}
