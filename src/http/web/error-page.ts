import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ErrorPage } from '../../views/pages/instance/error.js'
import { isBrokenOff } from '../body.js'
import type { AppDeps } from '../deps.js'
import { failureOf } from '../errors.js'
import { basePath } from '../url.js'
import { anonymousPageContext } from './anonymous-page-context.js'
import type { WebContext } from './context.js'
import { pageContext } from './page-context.js'
import { loadSession } from './people/session.js'
import { publicPage } from './public-page.js'

/**
 * The page for an address that does not exist: in the frame of a user who is signed in, otherwise once for all visitors.
 * Throws `TooManyRequests`.
 */
export async function showNotFound(deps: AppDeps, c: WebContext): Promise<Response> {
  c.set('deps', deps)
  c.set('listed', new Map())
  c.set('base', basePath(deps.config.SITE_ROOT))
  await loadSession(c)
  if (c.var.session) return c.html(ErrorPage({ page: await pageContext(c), status: 404 }), 404)
  await deps.anonymous.turn(c.env.incoming)
  const make = () => ErrorPage({ page: anonymousPageContext(deps), status: 404 })
  return await publicPage(c, deps.config, 'not found', make, 404)
}

/** The page for an error. Bugs are reported to `onError` and shown without details. */
export async function showFailure(deps: AppDeps, c: WebContext, error: unknown): Promise<Response> {
  if (isBrokenOff(c.env.incoming)) return new Response(null, { status: 400 })
  const { status, message, headers } = failureOf(error, deps.onError)
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  const page = await contextOf(deps, c)
  return c.html(ErrorPage({ page, status, message }), status as ContentfulStatusCode)
}

/** With the reader's own settings, if they are signed in and the database is available. */
async function contextOf(deps: AppDeps, c: WebContext) {
  if (!c.get('session')) return anonymousPageContext(deps)
  return await pageContext(c).catch(() => anonymousPageContext(deps))
}
