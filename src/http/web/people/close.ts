import { closeAccount } from '../../../actions/people/close-account.js'
import { Refusal } from '../../../core/errors.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { CloseAccountPage } from '../../../views/pages/people/close-account.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import { requireProof } from './proof.js'
import { clearSessionCookie } from './session.js'

/** GET: shows what closing the account deletes. */
export async function showCloseAccount(c: WebContext): Promise<Response> {
  requireProof(c)
  return await c.html(await closePage(c, '', null))
}

/** POST: closes the account, if the address was typed. */
export async function submitCloseAccount(c: WebContext): Promise<Response> {
  const { user } = requireProof(c)
  const typed = (await formOf(c)).text('email')
  return await tryForm(
    c,
    async () => {
      if (typed.trim().toLowerCase() !== user.email) {
        throw new Refusal('invalid', `this is not your address: type ${user.email}`, 'email')
      }
      await closeAccount(c.var.deps.store, user.id, c.var.deps.clock.now())
      c.var.deps.changes.emit('access', {})
      clearSessionCookie(c)
      setFlash(c, 'good', 'Your account is closed.')
      return seeOther(c, '/accounts/login/')
    },
    problem => closePage(c, typed, problem),
  )
}

async function closePage(c: WebContext, typed: string, problem: Problem | null) {
  const { user } = requireProof(c)
  const page = await pageContext(c)
  const projects = (await c.var.deps.store.people.listProjects(user.id)).filter(
    ({ role }) => role === 'owner',
  )
  return CloseAccountPage({ page, email: user.email, projects, typed, problem })
}
