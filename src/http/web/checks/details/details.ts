import { CheckPage } from '../../../../views/pages/checks/check.js'
import { checkOf } from '../../access.js'
import type { WebContext } from '../../context.js'
import { pageContext } from '../../page-context.js'
import { detailsData } from './details-data.js'
import { menuData } from './menu-data.js'

/** GET: the page of a check. */
export async function showDetails(c: WebContext): Promise<Response> {
  const found = await checkOf(c, c.req.param('uuid')!, 'read')
  const page = await pageContext(c, found.project)
  const data = await detailsData(c, found, page)
  const menu = await menuData(c, page, found.project)
  return await c.html(CheckPage({ ...data, ...menu }))
}
