import { Hono } from 'hono'
import { createApi } from './api/dispatch.js'
import { createApiDocument } from './api-document.js'
import { ApiKeys } from './auth.js'
import { createBadges } from './badges.js'
import type { AppDeps, Bindings } from './deps.js'
import { servePrometheus } from './prometheus.js'
import { showFailure, showNotFound } from './web/error-page.js'
import { createPages } from './web/pages.js'

export type App = Hono<{ Bindings: Bindings }>

/**
 * Everything but pings, as one table of routes. Paths are those after the site's prefix. Answers carry the base
 * headers where they are made (see responses.ts), so that no middleware stands before the API.
 */
export function createApp(deps: AppDeps): App {
  const app: App = new Hono()
  const keys = new ApiKeys(deps.store, deps.clock)
  const api = createApi(deps, keys)
  const badges = createBadges(deps)
  app.get('/api/v3/openapi.json', createApiDocument(deps.config))
  app.all('/api/*', c => api(c.req.raw, c.env))
  app.all('/badge/*', c => badges(c.req.raw))
  app.all('/b/*', c => badges(c.req.raw))
  for (const path of ['/projects/:uuid/metrics/:key?', '/projects/:uuid/checks/metrics/:key']) {
    app.get(path, c => servePrometheus(deps, keys, c.req.raw, c.env.incoming, c.req.param('key')))
  }
  app.get('/projects/:uuid/metrics/', c => servePrometheus(deps, keys, c.req.raw, c.env.incoming, undefined))
  app.route('/', createPages(deps))
  app.notFound(c => showNotFound(deps, c))
  app.onError((error, c) => showFailure(deps, c, error))
  return app
}
