import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { AppDeps } from '../deps.js'
import type { Handler, WebEnv } from './context.js'
import { checkCsrf } from './csrf.js'
import { routes, type WebRoute } from './routes.js'
import { loadSession, requireUser, SignInNeeded } from './session.js'

/** No form of ours is larger, in bytes. */
const FORM_LIMIT = 262_144

/**
 * The web application. Each route is guarded before its handler is called: the session is loaded, a POST must
 * carry a CSRF token, and a visitor without a session is sent to sign in, save where the route is open.
 */
export function createWeb(deps: AppDeps): Hono<WebEnv> {
  const web = new Hono<WebEnv>()
  const base = new URL(deps.config.siteRoot).pathname.replace(/\/$/, '')
  const limit = bodyLimit({ maxSize: FORM_LIMIT })
  for (const route of routes) {
    web.on(
      route.method,
      route.path,
      async (c, next) => {
        c.set('deps', deps)
        c.set('base', base)
        await next()
      },
      limit,
      c => guarded(route)(c),
    )
  }
  return web
}

function guarded(route: WebRoute): Handler {
  return async c => {
    try {
      await loadSession(c)
      if (!route.open) requireUser(c)
      if (route.method === 'POST') await checkCsrf(c)
      return await route.handle(c)
    } catch (error) {
      if (!(error instanceof SignInNeeded)) throw error
      const from = c.req.method === 'GET' ? `?next=${encodeURIComponent(c.req.path)}` : ''
      return c.redirect(`${c.var.base}/accounts/login/${from}`, 302)
    }
  }
}
