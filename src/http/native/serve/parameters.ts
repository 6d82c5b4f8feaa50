/** The parameters and headers that operations have in common. */
import { z } from 'zod'
import type { Parameter } from '../../api/operation.js'
import type { AnyNativeOperation } from '../native-operation.js'
import { FieldRefusal } from '../problem.js'
import { hasEtag, isConditional } from './etag.js'

type Methods = Partial<Record<string, AnyNativeOperation>>

/** The parameters of an operation's query, its own and the common ones. */
export function queryParametersOf(method: string, operation: AnyNativeOperation): Parameter[] {
  const { listing, concerns, inPath, query = [] } = operation
  return [
    ...query,
    ...(listing ? pageParameters(listing) : []),
    ...(method === 'GET' && operation.responses[200]?.schema ? [FIELDS] : []),
    ...(concerns === 'caller' || inPath ? [] : [PROJECT]),
  ]
}

/** The headers that an operation reads. */
export function headersOf(method: string, methods: Methods): Parameter[] {
  return [
    ...(method === 'POST' ? [IDEMPOTENCY_KEY] : []),
    ...(isConditional(method, methods) ? [IF_MATCH] : []),
  ]
}

/** The headers of a successful answer, by name. */
export function answerHeadersOf(method: string, methods: Methods): Record<string, string> {
  return {
    RateLimit:
      'What is left of the limit of requests, such as `"token";r=2999;t=1`: 1 second until all is available.',
    'RateLimit-Policy': 'The limit, such as `"token";q=3000;w=60`: 3,000 requests in 60 seconds.',
    ...(['GET', 'PUT', 'PATCH'].includes(method) && hasEtag(methods)
      ? { ETag: 'Identifies what can be changed of the resource, for `If-Match`.' }
      : {}),
    ...(method === 'POST' ? { 'Idempotent-Replayed': '`true` if the request was carried out before.' } : {}),
  }
}

/** The errors that the framework answers with. */
export function commonErrorsOf(method: string, operation: AnyNativeOperation, methods: Methods) {
  const { scope, concerns, request, errors } = operation
  const hasOwn = (status: number) => (errors[status] === undefined ? '' : `, or: ${errors[status]}`)
  const common: Record<number, string> = {
    ...(request ? { 400: 'The body is not a JSON object, or is too large' } : {}),
    401: 'The token or key is missing, unknown or expired',
    403: `The token lacks ${scope === null ? 'a role' : `the scope \`${scope}\` or the role`}, or the key may not do this`,
    ...(concerns === 'caller' ? {} : { 404: 'There is no such project for this token or key' }),
    ...(method === 'POST' ? { 409: 'A request with this Idempotency-Key is being carried out' } : {}),
    ...(isConditional(method, methods)
      ? { 412: 'The resource is not as `If-Match` says; nothing was changed' }
      : {}),
    422: 'A parameter, a header or the body is wrong; nothing was changed',
    429: 'Too many requests; `Retry-After` says when to send the next one',
  }
  const all = Object.entries(common).map(([status, text]) => [
    status,
    `${text}${hasOwn(Number(status)) || '.'}`,
  ])
  return { ...errors, ...Object.fromEntries(all) } as Record<number, string>
}

/** Throws a `FieldRefusal` if the query has a parameter that the operation does not have. */
export function refuseUnknown(query: URLSearchParams, method: string, operation: AnyNativeOperation): void {
  if (query.size === 0) return
  const known = parameterNames(method, operation)
  const unknown = [...new Set(query.keys())].filter(name => !known.has(name)).slice(0, 10)
  if (unknown.length === 0) return
  throw new FieldRefusal(
    unknown.map(name => ({ detail: 'unknown parameter', parameter: name.slice(0, 100) })),
  )
}

const namesOf = new WeakMap<AnyNativeOperation, Map<string, ReadonlySet<string>>>()

/** The names of an operation's parameters. They are kept, because the schemas of parameters take long to make. */
function parameterNames(method: string, operation: AnyNativeOperation): ReadonlySet<string> {
  const byMethod = namesOf.get(operation) ?? new Map<string, ReadonlySet<string>>()
  namesOf.set(operation, byMethod)
  const known = byMethod.get(method)
  if (known) return known
  const names = new Set(queryParametersOf(method, operation).map(({ name }) => name))
  byMethod.set(method, names)
  return names
}

const PROJECT: Parameter = {
  name: 'project',
  description: 'The UUID of the project. A token of a person needs it; others know their project.',
  schema: z.uuid().optional(),
}

const FIELDS: Parameter = {
  name: 'fields',
  description: 'Only these members of the answer, or of each item of a list: names with commas between them.',
  schema: z.string().optional(),
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  description:
    'Chosen by the client, such as a UUID. For 24 hours the same request with the same key is not carried out again: it has the same answer.',
  schema: z.string().min(1).max(255).optional(),
}

const IF_MATCH: Parameter = {
  name: 'If-Match',
  description: 'An ETag: the change is made only if the resource still has it.',
  schema: z.string().optional(),
}

function pageParameters({ limit, most }: { limit: number; most: number }): Parameter[] {
  return [
    {
      name: 'limit',
      description: 'The most items of a page.',
      schema: z.int().min(1).max(most).default(limit),
    },
    { name: 'cursor', description: 'Where to go on: `next` of an answer.', schema: z.string().optional() },
  ]
}
