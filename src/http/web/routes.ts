/** Every page and what each of its buttons calls, in one table. Paths are those after the site's prefix. */
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { AppDeps, Bindings } from '../deps.js'
import { pageHeaders } from './page-headers.js'
import { serveStatic } from './static.js'

export type Pages = Hono<{ Bindings: Bindings }>

/** The web application. */
export function createPages(deps: AppDeps): Pages {
  const pages: Pages = new Hono()
  pages.use(pageHeaders(deps.config.siteRoot))
  pages.use(compress())
  pages.get('/static/*', serveStatic)
  return pages
}
