import { Refusal, type RefusalCode } from '../core/errors.js'
import { isUnavailable } from '../storage/errors.js'

/** The response for an error. */
export interface Failure {
  status: number
  message: string
}

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

/**
 * Converts an error to a response: a refusal to its status and message. Any other error is reported to `onError` once,
 * and the response has no details.
 */
export function failureOf(error: unknown, onError: (error: unknown) => void): Failure {
  if (error instanceof Refusal) return { status: STATUSES[error.code], message: error.message }
  onError(error)
  if (isUnavailable(error)) return { status: 503, message: 'try again later' }
  return { status: 500, message: 'internal error' }
}
