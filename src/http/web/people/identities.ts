import { Refusal } from '../../../core/errors.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { rememberDeviceAgain } from './device.js'
import { requireProof } from './proof.js'

/** POST: removes an identity at a provider, and ends the sessions begun through a provider. */
export async function removeIdentity(c: WebContext): Promise<Response> {
  const { user, sessionId } = requireProof(c)
  const { store, changes } = c.var.deps
  const form = await formOf(c)
  const identity = { issuer: form.text('issuer'), subject: form.text('subject') }
  const removed = await store.people.removeIdentity({ userId: user.id, sessionId }, identity)
  if (!removed) throw new Refusal('not-found', 'there is no such identity')
  await rememberDeviceAgain(c, user.id)
  changes.emit('access', {})
  setFlash(c, 'good', 'Identity removed. Sessions started through a provider were signed out.')
  return seeOther(c, '/accounts/profile/')
}
