import { checkCode } from '../../../actions/people/sign-in/check-code.js'
import { checkPassword } from '../../../actions/people/sign-in/check-password.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { ConfirmIdentityPage } from '../../../views/pages/people/confirm-identity.js'
import { seeOther, type WebContext } from '../context.js'
import { formOf } from '../form.js'
import { safeNext } from '../next.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import { requireUser, setSessionCookie } from './session.js'

/** GET: asks for a proof of identity before a sensitive change. */
export async function showConfirmIdentity(c: WebContext): Promise<Response> {
  return await c.html(await confirmPage(c, safeNext(c.req.query('next')), null))
}

/** POST: the password, or a code of the authenticator app if there is no password. */
export async function submitConfirmIdentity(c: WebContext): Promise<Response> {
  const { user, sessionId } = requireUser(c)
  const { store, clock, config } = c.var.deps
  const form = await formOf(c)
  const next = safeNext(form.text('next'))
  return await tryForm(
    c,
    async () => {
      const facts = await store.people.signInFacts({ id: user.id })
      if (facts?.passwordHash == null && facts?.totpSecret) {
        const deps = { store, clock, secretKeys: secretKeysOf(config) }
        const typed = { userId: user.id, stored: facts.totpSecret, code: form.text('code') }
        await checkCode(deps, typed)
      } else {
        const typed = { userId: user.id, password: form.text('password'), field: 'password' }
        await checkPassword(store, clock, typed)
      }
      const token = newToken()
      await store.people.proveSession({
        userId: user.id,
        sessionId,
        digest: digestOf(token),
        now: clock.now(),
      })
      setSessionCookie(c, token)
      return seeOther(c, next ?? '/accounts/profile/')
    },
    problem => confirmPage(c, next, problem),
  )
}

async function confirmPage(c: WebContext, next: string | null, problem: Problem | null) {
  const { user } = requireUser(c)
  const facts = await c.var.deps.store.people.signInFacts({ id: user.id })
  return ConfirmIdentityPage({
    page: await pageContext(c),
    next,
    proof: facts?.passwordHash != null ? 'password' : facts?.totpSecret ? 'code' : 'none',
    sendsLinks: c.var.deps.mailer !== null,
    problem,
  })
}
