import type { PageContext } from '../../../views/page-context.js'
import { anonymousPageContext } from '../anonymous-page-context.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { publicPage } from '../public-page.js'

/**
 * Responds with a document: rendered anew for a signed-in user, whose masthead differs, otherwise once for all
 * visitors.
 */
export async function showToAll(
  c: WebContext,
  path: string,
  make: (page: PageContext) => string | Promise<string>,
): Promise<Response> {
  const { deps, session } = c.var
  if (session) return await c.html(make(await pageContext(c)))
  return await publicPage(c, deps.config, `docs/${path}`, () => make(anonymousPageContext(deps)))
}
