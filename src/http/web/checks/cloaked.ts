import { checkOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'

/** GET: redirects from the address in a message, which does not reveal the check's UUID, to the check's page. */
export async function uncloak(c: WebContext): Promise<Response> {
  const uuid = await c.var.deps.store.checks.uuidOfKey(c.req.param('key')!)
  const { check } = await checkOf(c, uuid ?? '', 'read')
  return seeOther(c, `/checks/${check.uuid}/details/`)
}
