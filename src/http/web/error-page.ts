import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ErrorPage } from '../../views/pages/instance/error.js'
import { isBrokenOff } from '../body.js'
import type { AppDeps } from '../deps.js'
import { failureOf } from '../errors.js'
import { anonymousPageContext } from './anonymous-page-context.js'
import type { WebContext } from './context.js'
import { pageContext } from './page-context.js'
import { publicPage } from './public-page.js'

/** The page for an address that does not exist. Throws `TooManyRequests`. */
export async function showNotFound(deps: AppDeps, c: Context): Promise<Response> {
  await deps.anonymous.turn(c.env.incoming)
  const make = () => ErrorPage({ page: anonymousPageContext(deps), status: 404 })
  return await publicPage(c, deps.config, 'not found', make, 404)
}

/** The page for an error. Bugs are reported to `onError` and shown without details. */
export async function showFailure(deps: AppDeps, c: Context, error: unknown): Promise<Response> {
  if (isBrokenOff(c.env.incoming)) return new Response(null, { status: 400 })
  const { status, message, headers } = failureOf(error, deps.onError)
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  const page = await contextOf(deps, c as WebContext)
  return c.html(ErrorPage({ page, status, message }), status as ContentfulStatusCode)
}

/** With the reader's own settings, if they are signed in and the database is available. */
async function contextOf(deps: AppDeps, c: WebContext) {
  if (!c.get('session')) return anonymousPageContext(deps)
  return await pageContext(c).catch(() => anonymousPageContext(deps))
}
