/** From a request to the operation that its path and method name, and from its outcome to the response. */
import { Refusal } from '../../core/errors.js'
import { toJson } from '../../core/wire/json.js'
import type { ApiVersion } from '../../core/wire/version.js'
import type { Authenticated } from '../../storage/projects/api-keys.js'
import type { ApiKeys } from '../auth.js'
import { readBody } from '../body.js'
import { respondCompressed } from '../compress.js'
import { corsHeaders } from '../cors.js'
import type { AppDeps, Bindings } from '../deps.js'
import { failureOf } from '../errors.js'
import { baseHeaders, HTML, respond } from '../responses.js'
import { basePath, splitUrl } from '../url.js'
import { parseJsonBody } from './json-body.js'
import { noteRefusal } from './note-refusal.js'
import type { Answer, Call, Operation } from './operation.js'
import { type Method, patternOf, type Route, routes } from './routes.js'

const JSON_TYPE = 'application/json'
const PREFIX = /^\/api\/v([123])(?=\/)/

/** The largest body of a request whose header has a good key, in bytes. Source: docs/behaviour.md, section 11. */
const KEYED_LIMIT = 2_621_440

/** The largest body that is read to look for a key in it: anyone can send one. */
const UNKEYED_LIMIT = 65_536

const NO_QUERY = new URLSearchParams()
const NO_BYTES = new Uint8Array()
const NOBODY: Authenticated = { projectId: 0, kind: 'ro' }

interface CompiledRoute extends Route {
  pattern: RegExp
  headers: Readonly<Record<string, string>>
}

const compiled: CompiledRoute[] = routes.map(route => ({
  ...route,
  pattern: patternOf(route),
  headers: {
    ...baseHeaders,
    ...(route.cors ? corsHeaders(Object.keys(route.methods)) : {}),
    'Cache-Control': 'no-store',
  },
}))

/** Answers the requests whose path begins with `/api/`. */
export function createApi(
  deps: AppDeps,
  keys: ApiKeys,
): (request: Request, bindings: Bindings) => Promise<Response> {
  const prefix = basePath(deps.config.SITE_ROOT)
  return async (request, { incoming, outgoing }) => {
    const { path, query } = splitUrl(request.url)
    const version = PREFIX.exec(path)
    const found = version ? findRoute(path.slice(version[0].length)) : null
    if (!version || !found) return respond(404, toJson({ error: 'not found' }), JSON_TYPE)
    const { route, params } = found
    const operation = operationOf(route, request.method)
    if (!operation) return withoutOperation(route, request, prefix)
    try {
      if (operation.isOffered?.(deps.config) === false) throw new Refusal('not-found', 'not found')
      const header = (name: string) => request.headers.get(name)
      const call: Call = {
        deps,
        version: Number(version[1]) as ApiVersion,
        params,
        query: query === null ? NO_QUERY : new URLSearchParams(query),
        header,
        ...(await admit(keys, operation, incoming, header('X-Api-Key'))),
        now: deps.clock.now(),
        isWanted: () => !outgoing.destroyed,
      }
      return await toResponse(await operation.handle(call), route, header('Accept-Encoding'))
    } catch (error) {
      // Nobody is there to be answered.
      if (incoming.destroyed && !incoming.complete) return new Response(null, { status: 400 })
      noteRefusal(deps, request, incoming, { error, route: `${version[0]}${route.path}` })
      return refusal(error, deps, route)
    }
  }
}

function findRoute(path: string): { route: CompiledRoute; params: Record<string, string> } | null {
  for (const route of compiled) {
    const match = route.pattern.exec(path)
    if (match) return { route, params: match.groups ?? {} }
  }
  return null
}

/** Routes that no script calls from elsewhere answer any reading method, as the reference does. */
function operationOf(route: Route, method: string): Operation | undefined {
  const reads = !route.cors && (method === 'HEAD' || method === 'OPTIONS')
  return route.methods[(reads ? 'GET' : method) as Method]
}

/**
 * The answer for a method that the route does not have. A listing's address without its slash leads to the one with it,
 * where clients go on with GET: so does the reference. `prefix`: the path part of SITE_ROOT.
 */
function withoutOperation(route: CompiledRoute, { method, url }: Request, prefix: string): Response {
  if (route.cors && method === 'OPTIONS') return new Response(null, { status: 204, headers: route.headers })
  const { pathname, search } = new URL(url)
  if (route.path.endsWith('/') && !pathname.endsWith('/')) {
    const headers = { ...route.headers, Location: `${prefix}${pathname}/${search}` }
    return new Response(null, { status: 301, headers })
  }
  const allow = Object.keys(route.methods).join(', ')
  return respond(405, toJson({ error: 'method not allowed' }), JSON_TYPE, { ...route.headers, Allow: allow })
}

function toResponse(answer: Answer, route: CompiledRoute, accepted: string | null): Promise<Response> {
  const body = answer.body as string | Uint8Array<ArrayBuffer>
  return respondCompressed(accepted, answer.status, body, answer.type ?? JSON_TYPE, route.headers)
}

/** Refusals are told as JSON, save the one that the reference tells as plain text. */
function refusal(error: unknown, deps: AppDeps, route: CompiledRoute): Response {
  const { status, message } = failureOf(error, deps.onError)
  if (status === 409) return respond(status, message, HTML, route.headers)
  const headers = status === 503 ? { ...route.headers, 'Retry-After': '5' } : route.headers
  return respond(status, toJson({ error: message }), JSON_TYPE, headers)
}

/**
 * Who calls, and the body of a POST. A key in the header decides where it is present at all, even empty, and before
 * anything is read; else the body's `api_key` does. Source: docs/behaviour.md, section 4.2; decision 0106.
 */
async function admit(
  keys: ApiKeys,
  operation: Operation,
  incoming: Bindings['incoming'],
  sent: string | null,
): Promise<Pick<Call, 'access' | 'body' | 'raw'>> {
  const { key: needed, bodyLimit = 0, bodyKept = null } = operation
  const hasBody = incoming.method === 'POST'
  if (needed === 'none') {
    const raw = hasBody ? await rawBody(incoming, bodyLimit, bodyKept) : NO_BYTES
    return { access: NOBODY, body: {}, raw }
  }
  const known = sent === null ? null : await keys.check(sent, needed)
  const raw = hasBody ? await rawBody(incoming, known ? KEYED_LIMIT : UNKEYED_LIMIT) : NO_BYTES
  const body = parseJsonBody(raw)
  // The body may have taken long, and the key may be gone since; within a second it is believed unseen.
  return { access: await keys.check(known ? sent : keyIn(body), needed), body, raw }
}

function keyIn(body: Call['body']): string | null {
  return body.api_key === undefined ? null : String(body.api_key)
}

async function rawBody(
  incoming: Bindings['incoming'],
  limit: number,
  kept: number | null = null,
): Promise<Uint8Array> {
  const body = await readBody(incoming, kept, limit)
  if (body !== 'too-large') return body ?? NO_BYTES
  const hint = limit === UNKEYED_LIMIT ? ': send the key in the header X-Api-Key' : ''
  throw new Refusal('invalid', `the request body is larger than ${limit} bytes${hint}`)
}
