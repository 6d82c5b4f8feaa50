/** The routes of Punctual's own API: from a request to the operation of its path and method, and its response. */
import type { Context, Hono } from 'hono'
import { noteRefusal } from '../api/note-refusal.js'
import { pathsOf } from '../api/routes.js'
import type { ApiKeys } from '../auth.js'
import { respondCompressed } from '../compress.js'
import type { AppDeps, Bindings } from '../deps.js'
import { baseHeaders } from '../responses.js'
import { queryOf } from '../url.js'
import { admitNative } from './admit-native.js'
import { NATIVE_PREFIX, type NativeRoute, nativeRoutes } from './native-routes.js'
import { problem, problemOf } from './problem.js'

const HEADERS = { ...baseHeaders, 'Cache-Control': 'no-store', 'Content-Type': 'application/json' }

/** Adds its routes to `api`. */
export function serveNativeApi(api: Hono<{ Bindings: Bindings }>, deps: AppDeps, keys: ApiKeys): void {
  for (const route of nativeRoutes) {
    const answer = answerTo(deps, keys, route)
    for (const path of pathsOf(route)) api.all(NATIVE_PREFIX + path, answer)
  }
  api.all(`${NATIVE_PREFIX}/*`, () => problem(404, 'there is no such path'))
}

function answerTo(deps: AppDeps, keys: ApiKeys, route: NativeRoute) {
  const allow = Object.keys(route.methods).join(', ')
  return async (c: Context<{ Bindings: Bindings }>): Promise<Response> => {
    const request = c.req.raw
    const { incoming } = c.env
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const operation = route.methods[method as keyof NativeRoute['methods']]
    if (!operation) return problem(405, 'method not allowed', {}, { Allow: allow })
    const header = (name: string) => request.headers.get(name)
    try {
      const { status, body } = await operation.handle({
        deps,
        params: c.req.param(),
        query: queryOf(request.url),
        ...(await admitNative(keys, operation.key, incoming, header)),
        now: deps.clock.now(),
      })
      return await respondCompressed(header('Accept-Encoding'), status, body as string, HEADERS)
    } catch (error) {
      // The client has disconnected.
      if (incoming.destroyed && !incoming.complete) return new Response(null, { status: 400 })
      noteRefusal(deps, request, incoming, { error, route: NATIVE_PREFIX + route.path })
      return problemOf(error, deps.onError)
    }
  }
}
