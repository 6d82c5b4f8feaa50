import { checkOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'

/** GET: the log of a check is a part of its page; old bookmarks lead there. */
export async function showLog(c: WebContext): Promise<Response> {
  const { check } = await checkOf(c, c.req.param('uuid')!, 'read')
  return seeOther(c, `/checks/${check.uuid}/details/#events`)
}
