import { checkCode } from '../../../actions/check-code.js'
import { signIn } from '../../../actions/sign-in.js'
import { digestOf, newToken } from '../../../lib/secrets.js'
import type { Problem } from '../../../views/components/form-problem.js'
import { ConfirmIdentityPage } from '../../../views/pages/confirm-identity.js'
import { seeOther, type WebContext } from '../context.js'
import { formOf } from '../form.js'
import { safeNext } from '../next.js'
import { pageContext } from '../page-context.js'
import { requireUser, setSessionCookie } from '../session.js'
import { tryForm } from '../try-form.js'
import { visitorOf } from '../visitor.js'

/** GET: asks once more who is there, before something sensitive. */
export async function showConfirmIdentity(c: WebContext): Promise<Response> {
  return await c.html(await confirmPage(c, safeNext(c.req.query('next')), null))
}

/** POST: the password, or without one a code of the authenticator app. */
export async function submitConfirmIdentity(c: WebContext): Promise<Response> {
  const { user, sessionId } = requireUser(c)
  const { store, clock } = c.var.deps
  const form = await formOf(c)
  const next = safeNext(form.text('next'))
  return await tryForm(
    c,
    async () => {
      const facts = await store.signInFacts({ id: user.id })
      if (facts?.passwordHash == null && facts?.totpSecret) {
        await checkCode(store, clock, { userId: user.id, secret: facts.totpSecret, code: form.text('code') })
      } else {
        const { address } = visitorOf(c)
        await signIn(store, clock, { email: user.email, password: form.text('password'), address })
      }
      const token = newToken()
      await store.proveSession({ sessionId, digest: digestOf(token), now: clock.now() })
      setSessionCookie(c, token)
      return seeOther(c, next ?? '/accounts/profile/')
    },
    problem => confirmPage(c, next, problem),
  )
}

async function confirmPage(c: WebContext, next: string | null, problem: Problem | null) {
  const { user } = requireUser(c)
  const facts = await c.var.deps.store.signInFacts({ id: user.id })
  return ConfirmIdentityPage({
    page: await pageContext(c),
    next,
    proof: facts?.passwordHash != null ? 'password' : facts?.totpSecret ? 'code' : 'none',
    sendsLinks: c.var.deps.mailer !== null,
    problem,
  })
}
