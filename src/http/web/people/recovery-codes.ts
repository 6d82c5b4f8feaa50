import { makeRecoveryCodes } from '../../../actions/people/make-recovery-codes.js'
import { Refusal } from '../../../core/errors.js'
import type { SignedIn } from '../../../storage/people/sessions.js'
import { NewRecoveryCodesPage, RecoveryCodesPage } from '../../../views/pages/people/recovery-codes.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { pageContext } from '../page-context.js'
import { noStore } from '../page-headers.js'
import { requireProof } from './proof.js'

/** GET: shows how many recovery codes are left, with a button for new ones. */
export async function showRecoveryCodes(c: WebContext): Promise<Response> {
  const { user } = requireProof(c)
  const facts = await c.var.deps.store.people.signInFacts({ id: user.id })
  return await c.html(RecoveryCodesPage({ page: await pageContext(c), left: facts?.recoveryCodes ?? 0 }))
}

/** POST: creates new codes, which are shown only once. */
export async function submitRecoveryCodes(c: WebContext): Promise<Response> {
  const session = requireProof(c)
  const facts = await c.var.deps.store.people.signInFacts({ id: session.user.id })
  if (facts?.totpSecret == null && !facts?.passkeys) {
    throw new Refusal('conflict', 'recovery codes need a second step: set one up first')
  }
  return await showNewCodes(c, session, 'The old codes no longer work.')
}

/** After a second step was set up: shows new recovery codes if the user has none yet, otherwise the account page. */
export async function afterSecondStep(c: WebContext, session: SignedIn, news: string): Promise<Response> {
  const facts = await c.var.deps.store.people.signInFacts({ id: session.user.id })
  if (facts?.recoveryCodes === 0) return await showNewCodes(c, session, news)
  setFlash(c, 'good', news)
  return seeOther(c, '/accounts/profile/')
}

async function showNewCodes(c: WebContext, session: SignedIn, news: string): Promise<Response> {
  noStore(c)
  const of = { userId: session.user.id, sessionId: session.sessionId }
  const codes = await makeRecoveryCodes(c.var.deps.store, of)
  return await c.html(NewRecoveryCodesPage({ page: await pageContext(c), codes, news }))
}
