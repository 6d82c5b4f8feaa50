/** Errors of Punctual's own API: problem details (RFC 9457). */
import { STATUS_CODES } from 'node:http'
import type { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import { toJson } from '../../core/wire/json.js'
import { failureOf } from '../errors.js'
import { baseHeaders, respond } from '../responses.js'

export const PROBLEM = 'application/problem+json'

/** The maximum number of errors in one response. */
const LISTED = 50

/** The maximum length of a part of the request that is repeated in a response. */
const REPEATED = 100

/** An error in a request: `pointer` (RFC 6901) locates it in the body, `parameter` names a parameter of the query. */
export type FieldError = { detail: string } & ({ pointer: string } | { parameter: string })

/** A request with invalid fields: answered with 422. */
export class FieldRefusal extends Refusal {
  constructor(readonly errors: readonly FieldError[]) {
    super('invalid', 'some fields of the request are wrong')
  }
}

/** The errors that a schema found in a body. */
export function fieldRefusal({ issues }: z.ZodError): FieldRefusal {
  const errors = issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(key => ({ detail: 'unknown field', pointer: pointerTo([...issue.path, key]) }))
      : [{ detail: issue.message, pointer: pointerTo(issue.path) }],
  )
  return new FieldRefusal(errors.slice(0, LISTED))
}

/** The response for a status without details. */
export function problem(status: number, detail: string, more: object = {}, headers: object = {}): Response {
  const body = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, ...more }
  return respond(status, toJson(body), PROBLEM, { ...baseHeaders, 'Cache-Control': 'no-store', ...headers })
}

/** The response for an error. */
export function problemOf(error: unknown, onError: (error: unknown) => void): Response {
  const { status, message } = failureOf(error, onError)
  if (error instanceof FieldRefusal) return problem(422, message, { errors: error.errors })
  return problem(status, message, {}, EXTRA_HEADERS[status])
}

const EXTRA_HEADERS: Record<number, object> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  503: { 'Retry-After': '5' },
}

function pointerTo(path: readonly PropertyKey[]): string {
  const part = (name: string) => name.slice(0, REPEATED).replaceAll('~', '~0').replaceAll('/', '~1')
  return path.map(name => `/${part(String(name))}`).join('')
}
