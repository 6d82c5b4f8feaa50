import { Refusal } from '../../../core/errors.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { requireProof } from '../proof.js'

/** POST: one identity at a provider opens the account no more. */
export async function removeIdentity(c: WebContext): Promise<Response> {
  const { user } = requireProof(c)
  const form = await formOf(c)
  const identity = { issuer: form.text('issuer'), subject: form.text('subject') }
  const removed = await c.var.deps.store.removeIdentity(user.id, identity)
  if (!removed) throw new Refusal('not-found', 'there is no such identity')
  setFlash(c, 'good', 'The identity is removed.')
  return seeOther(c, '/accounts/profile/')
}
