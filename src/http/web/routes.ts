/**
 * Every page and every action of the web application. Whoever reads this table knows what people can do. A POST
 * needs a CSRF token; a route that is not open needs somebody who is signed in; the rest each handler asks of
 * access.ts.
 */
import type { Handler } from './context.js'

export interface WebRoute {
  method: 'GET' | 'POST'
  /** Counts from SITE_ROOT. `:uuid` and the like are parameters. */
  path: string
  handle: Handler
  /** Whether visitors who are not signed in may come. */
  open?: boolean
}

export const routes: readonly WebRoute[] = []
