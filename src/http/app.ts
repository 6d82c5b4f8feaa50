import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { secretKeysOf } from '../lib/secrets/secret-key.js'
import { AnonymousPace } from './anonymous-pace.js'
import { createApi } from './api/create-api.js'
import { ApiKeys } from './auth.js'
import { createBadges } from './badges.js'
import { networkOf } from './client.js'
import type { AppDeps, Bindings } from './deps.js'
import { createForeign, isForeign } from './foreign/create-foreign.js'
import { isForMcp } from './mcp/serve-mcp.js'
import { servePrometheus } from './prometheus.js'
import { serveExec } from './serve-exec.js'
import { serveWall } from './wall.js'
import type { WebEnv } from './web/context.js'
import { createPages } from './web/create-pages.js'
import { showFailure, showNotFound } from './web/error-page.js'

/** Answers every request except pings. */
export type App = Pick<Hono<{ Bindings: Bindings }>, 'fetch'>

/**
 * Answers everything except pings. Paths do not include the site's prefix. The API is a separate app, so that it does
 * not pass through the middleware of the pages. The base headers are added where responses are created (see
 * responses.ts).
 */
export function createApp(parts: Omit<AppDeps, 'anonymous'>): App {
  const { config } = parts
  const networkOfClient = (incoming: IncomingMessage) => networkOf(config, incoming)
  const anonymous = new AnonymousPace(config.ANONYMOUS_REQUESTS_PER_SECOND, networkOfClient)
  const deps = { ...parts, anonymous }
  const app = new Hono<WebEnv>()
  const keys = new ApiKeys(deps.store, deps.clock, secretKeysOf(config))
  const api = createApi(deps, keys)
  app.route('/', createBadges(deps))
  for (const path of ['/projects/:uuid/metrics/:key?', '/projects/:uuid/checks/metrics/:key']) {
    app.get(path, c => servePrometheus(deps, keys, c.req.raw, c.env.incoming, c.req.param('key')))
  }
  app.get('/projects/:uuid/metrics/', c => servePrometheus(deps, keys, c.req.raw, c.env.incoming, undefined))
  app.get('/exec.sh', () => serveExec(config.SITE_ROOT))
  app.get('/tv/checks/', c => serveWall(deps, keys, c.req.raw, c.env.incoming))
  app.route('/', createPages(deps))
  app.notFound(c => showNotFound(deps, c))
  app.onError((error, c) => showFailure(deps, c, error))
  const foreign = createForeign(deps)
  const appFor = (request: Request) => (isForeign(request) ? foreign : isForApi(request) ? api : app)
  return { fetch: (request, ...rest) => appFor(request).fetch(request, ...rest) }
}

function isForApi({ url }: Request): boolean {
  const path = url.indexOf('/', 'https://'.length)
  return url.startsWith('/api/', path) || isForMcp(url, path)
}
