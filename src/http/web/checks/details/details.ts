import { CheckPage } from '../../../../views/pages/checks/check.js'
import { checkOf } from '../../access.js'
import type { WebContext } from '../../context.js'
import { pageContext } from '../../page-context.js'
import { detailsData } from './details-data.js'

/** GET: the page of a check. */
export async function showDetails(c: WebContext): Promise<Response> {
  const found = await checkOf(c, c.req.param('uuid')!, 'read')
  const now = c.var.deps.clock.now()
  return await c.html(CheckPage(await detailsData(c, found, pageContext(c, found.project), now)))
}
