/** Errors of Punctual's own API: problem details (RFC 9457). */
import { STATUS_CODES } from 'node:http'
import type { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import { toJson } from '../../core/wire/json.js'
import { failureOf } from '../errors.js'
import { baseHeaders, respond } from '../responses.js'

export const PROBLEM = 'application/problem+json'

/** The most errors that one answer lists. */
const LISTED = 50

/** The longest part of a request that is repeated in an answer. */
const REPEATED = 100

/** One thing that is wrong with a request: `pointer` (RFC 6901) leads to it in the body, `parameter` names one of the query. */
export type FieldError = { detail: string } & ({ pointer: string } | { parameter: string })

/** A request whose fields are wrong: answered 422. */
export class FieldRefusal extends Refusal {
  constructor(readonly errors: readonly FieldError[]) {
    super('invalid', 'some fields of the request are wrong')
  }
}

/** What a schema found wrong with a body. */
export function fieldRefusal({ issues }: z.ZodError): FieldRefusal {
  const errors = issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(key => ({ detail: 'unknown field', pointer: pointerTo([...issue.path, key]) }))
      : [{ detail: issue.message, pointer: pointerTo(issue.path) }],
  )
  return new FieldRefusal(errors.slice(0, LISTED))
}

/** The answer for a status alone. */
export function problem(status: number, detail: string, more: object = {}, headers: object = {}): Response {
  const body = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, ...more }
  return respond(status, toJson(body), PROBLEM, { ...baseHeaders, 'Cache-Control': 'no-store', ...headers })
}

/** The answer for what was thrown. */
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
