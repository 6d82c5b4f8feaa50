import { changePassword } from '../../../actions/change-password.js'
import type { Problem } from '../../../views/components/form-problem.js'
import { PasswordPage } from '../../../views/pages/password.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { requireProof } from '../proof.js'
import { setSessionCookie } from '../session.js'
import { tryForm } from '../try-form.js'

/** GET: where a password is chosen. */
export async function showPassword(c: WebContext): Promise<Response> {
  requireProof(c)
  return await c.html(await passwordPage(c, null))
}

/** POST: sets it, and ends the other sessions. */
export async function submitPassword(c: WebContext): Promise<Response> {
  const { user, sessionId, method } = requireProof(c)
  const password = (await formOf(c)).text('password')
  return await tryForm(
    c,
    async () => {
      const recovered = method === 'link'
      const change = { user, sessionId, password, recovered }
      setSessionCookie(c, await changePassword(c.var.deps.store, change))
      c.var.deps.changes.tell('access', {})
      setFlash(c, 'good', 'The new password is set. All other sessions are signed out.')
      return seeOther(c, '/accounts/profile/')
    },
    problem => passwordPage(c, problem),
  )
}

async function passwordPage(c: WebContext, problem: Problem | null) {
  const { user } = requireProof(c)
  return PasswordPage({ page: await pageContext(c), email: user.email, problem })
}
