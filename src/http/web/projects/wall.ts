import { WallPage } from '../../../views/pages/projects/wall.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** GET: a display for a wall, for anyone with a read-only key. Source: `/tv/` in docs/behaviour.md, section 9.2. */
export async function showWall(c: WebContext): Promise<Response> {
  return await c.html(WallPage({ page: await pageContext(c) }))
}
