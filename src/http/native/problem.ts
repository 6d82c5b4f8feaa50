/** Errors of Punctual's own API: problem details (RFC 9457). */
import { STATUS_CODES } from 'node:http'
import type { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import type { ScopeName } from '../../core/people/scopes.js'
import { toJson } from '../../core/wire/json.js'
import { failureOf, retryHeaders } from '../errors.js'
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

/** What the caller is not allowed to do: answered with 403. `scope`: what a token needs for it; null: any token. */
export class ScopeRefusal extends Refusal {
  constructor(
    message: string,
    readonly scope: ScopeName | null,
  ) {
    // The security log counts it with wrong keys.
    super('unauthorized', message)
  }
}

/** The resource is not as `If-Match` says: answered with 412. */
export class PreconditionFailed extends Error {
  override readonly name = 'PreconditionFailed'
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

interface Problem {
  type: string
  title: string
  status: number
  detail: string
  errors?: readonly FieldError[]
  scope?: ScopeName | null
}

/** The problem of a status. */
function problemFor(status: number, detail: string, more: Pick<Problem, 'errors' | 'scope'> = {}): Problem {
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, ...more }
}

/** The response for a status without details. */
export function problem(status: number, detail: string, more: object = {}, headers: object = {}): Response {
  return toResponse(problemFor(status, detail, more), headers)
}

function toResponse(body: Problem, headers: object): Response {
  const all = { ...baseHeaders, 'Cache-Control': 'no-store', ...headers }
  return respond(body.status, toJson(body), PROBLEM, all)
}

/** The problem that an error is. */
export function problemDetails(error: unknown, onError: (error: unknown) => void): Problem {
  if (error instanceof PreconditionFailed) return problemFor(412, 'the resource has changed')
  const { status, message } = failureOf(error, onError)
  if (error instanceof FieldRefusal) return problemFor(422, message, { errors: error.errors })
  if (error instanceof ScopeRefusal) return problemFor(403, message, { scope: error.scope })
  if (error instanceof Refusal && error.code === 'forbidden') return problemFor(404, asMissing(message))
  return problemFor(status, message)
}

/** The response for an error. */
export function problemOf(error: unknown, onError: (error: unknown) => void, headers: object = {}): Response {
  const details = problemDetails(error, onError)
  const ask = details.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}
  return toResponse(details, { ...ask, ...retryHeaders(error), ...headers })
}

/** What belongs to another project looks as if it did not exist. */
function asMissing(message: string): string {
  return message.replace(/^the (\w+) belongs to another project$/, '$1 not found')
}

function pointerTo(path: readonly PropertyKey[]): string {
  const part = (name: string) => name.slice(0, REPEATED).replaceAll('~', '~0').replaceAll('/', '~1')
  return path.map(name => `/${part(String(name))}`).join('')
}
