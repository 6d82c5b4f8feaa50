/**
 * The routes of the API: from a request to the operation of its path and method, and from the outcome to the response.
 */
import { type Context, Hono } from 'hono'
import { Refusal } from '../../core/errors.js'
import { toJson } from '../../core/wire/json.js'
import type { ApiVersion } from '../../core/wire/version.js'
import { type Actor, SYSTEM } from '../../lib/actor.js'
import { accessLook, actingDeps } from '../acting-deps.js'
import { createApiDocument, DOCUMENT_HEADERS, documentPath } from '../api-document.js'
import type { ApiKeys } from '../auth.js'
import { isBrokenOff } from '../body.js'
import { respondCompressed } from '../compress.js'
import { corsHeaders } from '../cors.js'
import type { AppDeps, Bindings } from '../deps.js'
import { failureOf } from '../errors.js'
import { keyActor } from '../key-actor.js'
import { serveMcp } from '../mcp/serve-mcp.js'
import { serveNativeApi } from '../native/serve-native-api.js'
import { baseHeaders, HTML, respond } from '../responses.js'
import { basePath, queryOf } from '../url.js'
import { admit } from './admit.js'
import type { Answer, Operation } from './operation.js'
import { type Method, pathsOf, type Route, routes } from './routes.js'
import { settleRefusal } from './settle-refusal.js'

type ApiContext = Context<{ Bindings: Bindings }>

type Headers = Readonly<Record<string, string>>

/**
 * A route with the headers of its responses, and those of JSON responses. They are created once, because that takes as
 * long as the routing.
 */
type ServedRoute = Route & { headers: Headers; jsonHeaders: Headers }

const JSON_TYPE = 'application/json'
const VERSIONS: readonly ApiVersion[] = [1, 2, 3]

const served: ServedRoute[] = routes.map(route => {
  const cors = route.cors ? corsHeaders(Object.keys(route.methods)) : {}
  const headers = { ...baseHeaders, ...cors, 'Cache-Control': 'no-store' }
  return { ...route, headers, jsonHeaders: { ...headers, 'Content-Type': JSON_TYPE } }
})

/** Answers requests whose path begins with `/api/`, and those to `/mcp`. */
export function createApi(deps: AppDeps, keys: ApiKeys): Hono<{ Bindings: Bindings }> {
  const api = new Hono<{ Bindings: Bindings }>()
  for (const name of ['v3', 'punctual/v1'] as const) {
    const document = createApiDocument(deps.config, name)
    api.get(documentPath(name), async c => {
      try {
        // Anybody may ask for it, and it is long.
        await deps.anonymous.turn(c.env.incoming)
        return await document()
      } catch (error) {
        return refusal(error, deps, DOCUMENT_HEADERS)
      }
    })
  }
  for (const version of VERSIONS) {
    for (const route of served) {
      const answer = answerTo(deps, keys, version, route)
      // For every method: Hono would treat HEAD as GET, and would not distinguish an unknown path from an unknown
      // method.
      for (const path of pathsOf(route)) api.all(`/api/v${version}${path}`, answer)
    }
  }
  serveMcp(api, deps, serveNativeApi(api, deps, keys))
  api.notFound(() => respond(404, toJson({ error: 'not found' }), JSON_TYPE))
  return api
}

/** Answers requests for one path in one version. */
function answerTo(deps: AppDeps, keys: ApiKeys, version: ApiVersion, route: ServedRoute) {
  const prefix = basePath(deps.config.SITE_ROOT)
  return async (c: ApiContext): Promise<Response> => {
    const request = c.req.raw
    const { incoming, outgoing } = c.env
    const operation = operationOf(route, request.method)
    if (!operation) return withoutOperation(route, request, prefix)
    try {
      if (operation.isOffered?.(deps.config) === false) throw new Refusal('not-found', 'not found')
      const header = (name: string) => request.headers.get(name)
      const { look, ...admitted } = await admit(
        { keys, anonymous: deps.anonymous },
        operation,
        incoming,
        header('X-Api-Key'),
      )
      const isKeyed = operation.key !== 'none'
      const actor: Actor = isKeyed ? keyActor(admitted.access, deps.config, incoming) : SYSTEM
      const call = {
        deps: actingDeps(deps, actor, outgoing, look && accessLook(look)),
        version,
        params: c.req.param(),
        query: queryOf(request.url),
        header,
        ...admitted,
        now: deps.clock.now(),
        isWanted: () => !outgoing.destroyed,
      }
      const answer = await operation.handle(call)
      return await toResponse(answer, route, header('Accept-Encoding'))
    } catch (error) {
      // The client has disconnected.
      if (isBrokenOff(incoming)) return new Response(null, { status: 400 })
      const called = `/api/v${version}${route.path}`
      const settled = await settleRefusal(deps, request, incoming, { error, route: called })
      return refusal(settled, deps, route.headers)
    }
  }
}

/** Routes without CORS answer any reading method, as the reference does. */
function operationOf(route: Route, method: string): Operation | undefined {
  const reads = !route.cors && (method === 'HEAD' || method === 'OPTIONS')
  return route.methods[(reads ? 'GET' : method) as Method]
}

/**
 * The response to a method that the route does not have. The address of a listing without its slash redirects to the
 * one with it, where clients continue with GET, as in the reference. `prefix`: the path of SITE_ROOT.
 */
function withoutOperation(route: ServedRoute, { method, url }: Request, prefix: string): Response {
  if (route.cors && method === 'OPTIONS') return new Response(null, { status: 204, headers: route.headers })
  const { pathname, search } = new URL(url)
  if (route.path.endsWith('/') && !pathname.endsWith('/')) {
    const headers = { ...route.headers, Location: `${prefix}${pathname}/${search}` }
    return new Response(null, { status: 301, headers })
  }
  const allow = Object.keys(route.methods).join(', ')
  return respond(405, toJson({ error: 'method not allowed' }), JSON_TYPE, { ...route.headers, Allow: allow })
}

function toResponse(answer: Answer, route: ServedRoute, accepted: string | null): Promise<Response> {
  const body = answer.body as string | Uint8Array<ArrayBuffer>
  const { type } = answer
  const headers = type === undefined ? route.jsonHeaders : { ...route.headers, 'Content-Type': type }
  return respondCompressed(accepted, answer.status, body, headers)
}

/** Refusals are JSON, except the one that the reference sends as plain text. */
function refusal(error: unknown, deps: AppDeps, headers: Headers): Response {
  const { status, message, headers: more } = failureOf(error, deps.onError)
  if (status === 409) return respond(status, message, HTML, headers)
  return respond(status, toJson({ error: message }), JSON_TYPE, { ...headers, ...more })
}
