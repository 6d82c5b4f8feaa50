/** The routes of Punctual's own API: from a request to the operation of its path and method, and its response. */
import type { Context, Hono } from 'hono'
import { accessLook, actingDeps } from '../acting-deps.js'
import { pathsOf } from '../api/routes.js'
import { settleRefusal } from '../api/settle-refusal.js'
import type { ApiKeys } from '../auth.js'
import { isBrokenOff } from '../body.js'
import { addressOf } from '../client.js'
import type { AppDeps, Bindings } from '../deps.js'
import { queryOf } from '../url.js'
import { NATIVE_PREFIX, type NativeRoute, nativeRoutes } from './native-routes.js'
import { problem, problemOf } from './problem.js'
import { accessNow, admit } from './serve/admit.js'
import { Callers, credentialIn } from './serve/authenticate.js'
import { carryOut } from './serve/carry-out.js'
import { ChangeTurns } from './serve/change-turns.js'
import { LargeBodies } from './serve/large-bodies.js'
import { limitHeaders, RequestLimits } from './serve/rate-limit.js'
import { toResponse } from './serve/to-response.js'

type ApiContext = Context<{ Bindings: Bindings }>

/** Adds its routes to `api`. Returns what other ways to use its operations share with it. */
export function serveNativeApi(api: Hono<{ Bindings: Bindings }>, deps: AppDeps, keys: ApiKeys): NativeParts {
  const parts = {
    callers: new Callers(keys, deps.store, deps.clock),
    limits: new RequestLimits(deps.config.API_REQUESTS_PER_MINUTE),
    turns: new ChangeTurns(deps.store, deps.clock),
    large: new LargeBodies(),
  }
  // Before the streams that are open ask again.
  deps.changes.on('access', () => parts.callers.forget())
  for (const route of nativeRoutes) {
    const answer = answerTo(deps, parts, route)
    for (const path of pathsOf(route)) api.all(NATIVE_PREFIX + path, answer)
  }
  api.all(`${NATIVE_PREFIX}/*`, () => problem(404, 'there is no such path'))
  return parts
}

export interface NativeParts {
  callers: Callers
  limits: RequestLimits
  turns: ChangeTurns
  large: LargeBodies
}

function answerTo(deps: AppDeps, { callers, limits, turns, large }: NativeParts, route: NativeRoute) {
  const allow = Object.keys(route.methods).join(', ')
  return async (c: ApiContext): Promise<Response> => {
    const request = c.req.raw
    const { incoming, outgoing } = c.env
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const operation = route.methods[method as keyof NativeRoute['methods']]
    if (!operation) return problem(405, 'method not allowed', {}, { Allow: allow })
    const header = (name: string) => request.headers.get(name)
    let headers: Record<string, string> = {}
    try {
      const credential = credentialIn(header)
      const address = addressOf(deps.config, incoming)
      const find = () => callers.find(credential, address)
      const caller = await find()
      const allowance = limits.take(credential, deps.clock.now())
      headers = limitHeaders(allowance)
      if (allowance?.waitSeconds != null) {
        return problem(429, 'too many requests', {}, headers)
      }
      const asked = {
        deps,
        method,
        route,
        operation,
        params: c.req.param(),
        query: queryOf(request.url),
        others: new Set<string>(),
      }
      const isWanted = () => !outgoing.destroyed
      const asking = { ...asked, caller, find, incoming, read: c.env.body, isWanted, large }
      const done = await admit(asking, async admitted => {
        return await carryOut({
          ...asked,
          ...admitted,
          deps: actingDeps(
            deps,
            caller.actor,
            outgoing,
            accessLook(() => accessNow(asking)),
          ),
          credential,
          header,
          turns,
          disconnect: () => outgoing.destroy(),
          url: request.url,
          accessNow: () => accessNow(asking),
        })
      })
      const response = await toResponse(done, header('Accept-Encoding'), headers)
      // Nobody reads the body: a stream would stay open.
      if (request.method === 'HEAD') await response.body?.cancel()
      return response
    } catch (error) {
      // The client has disconnected.
      if (isBrokenOff(incoming)) return new Response(null, { status: 400 })
      const refused = await settleRefusal(deps, request, incoming, {
        error,
        route: NATIVE_PREFIX + route.path,
      })
      return problemOf(refused, deps.onError, headers)
    }
  }
}
