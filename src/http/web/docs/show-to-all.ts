import type { PageContext } from '../../../views/page-context.js'
import { anonymousPageContext } from '../anonymous-page-context.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { publicPage } from '../public-page.js'

/** Answers with a document: made anew for someone who is signed in, whose frame is their own, else once for all. */
export async function showToAll(
  c: WebContext,
  path: string,
  make: (page: PageContext) => string | Promise<string>,
): Promise<Response> {
  const { deps, session } = c.var
  if (session) return await c.html(make(await pageContext(c)))
  return await publicPage(c, deps.config, `docs/${path}`, () => make(anonymousPageContext(deps)))
}
