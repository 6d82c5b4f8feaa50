import { Refusal } from '../../../core/errors.js'
import { seeOther, type WebContext } from '../context.js'
import { requireUser } from '../session.js'

/** GET: leads from the address in a message, which does not reveal the check's UUID, to the check's page. */
export async function uncloak(c: WebContext): Promise<Response> {
  const { user } = requireUser(c)
  const uuid = await c.var.deps.store.uuidOfKey(c.req.param('key')!)
  const found = uuid === null ? null : await c.var.deps.store.checkAccess(user.id, uuid)
  if (!found) throw new Refusal('not-found', 'there is no such check')
  return seeOther(c, `/checks/${found.check.uuid}/details/`)
}
