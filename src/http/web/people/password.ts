import { changePassword } from '../../../actions/people/change-password.js'
import { checkPassword } from '../../../actions/people/sign-in/check-password.js'
import { passwordNotice } from '../../../core/people/security-notices.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { PasswordPage } from '../../../views/pages/people/password.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { notify } from '../notify.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import { rememberDeviceAgain } from './device.js'
import { requireProof } from './proof.js'
import { setSessionCookie } from './session.js'

const RECOVERED =
  'Password changed. All other sessions, links to providers, API tokens and invitations of yours have ended. Remove passkeys that you do not know, and look at who belongs to your projects.'

/** GET: the form for a new password. */
export async function showPassword(c: WebContext): Promise<Response> {
  requireProof(c)
  return await c.html(await passwordPage(c, null))
}

/** POST: sets the password, and ends the other sessions. */
export async function submitPassword(c: WebContext): Promise<Response> {
  const { user, sessionId, method } = requireProof(c)
  const form = await formOf(c)
  return await tryForm(
    c,
    async () => {
      if (await asksForCurrent(c)) {
        const { store, clock } = c.var.deps
        const current = { userId: user.id, password: form.text('current'), field: 'current' }
        await checkPassword(store, clock, current)
      }
      const recovered = method === 'link'
      const change = { user, sessionId, password: form.text('password'), recovered }
      setSessionCookie(c, await changePassword(c.var.deps.store, c.var.deps.clock, change))
      await rememberDeviceAgain(c, user.id)
      c.var.deps.changes.emit('access', {})
      notify(c, user, passwordNotice)
      setFlash(c, 'good', recovered ? RECOVERED : 'Password changed. All other sessions were signed out.')
      return seeOther(c, '/accounts/profile/')
    },
    problem => passwordPage(c, problem),
  )
}

async function passwordPage(c: WebContext, problem: Problem | null) {
  const { user } = requireProof(c)
  const [page, asksCurrent] = await Promise.all([pageContext(c), asksForCurrent(c)])
  return PasswordPage({ page, email: user.email, asksCurrent, problem })
}

/** The current password is required if there is one, except after signing in without it. */
async function asksForCurrent(c: WebContext): Promise<boolean> {
  const { user, method } = requireProof(c)
  if (method === 'link' || method === 'proxy') return false
  return (await c.var.deps.store.people.signInFacts({ id: user.id }))?.passwordHash != null
}
