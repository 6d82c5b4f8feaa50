import {
  confirmEmailChange,
  findEmailChange,
  requestEmailChange,
} from '../../../actions/people/change-email.js'
import { emailAddress } from '../../../core/people/email-address.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { ConfirmEmailPage } from '../../../views/pages/people/confirm-email.js'
import { EmailPage } from '../../../views/pages/people/email.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { mailDeps } from '../site.js'
import { tryForm } from '../try-form.js'
import { rememberDeviceAgain } from './device.js'
import { requireProof } from './proof.js'
import { requireUser } from './session.js'

/** Decision 0138. */
const ENDED =
  'Other sessions, API tokens and invitations of yours have ended. Remove passkeys and sign-ins through a provider that you do not know.'

/** GET: the form for a new address. */
export async function showEmail(c: WebContext): Promise<Response> {
  requireProof(c)
  return await c.html(await emailPage(c, '', null))
}

/** POST: sends a link to the new address. If the installation sends no e-mail, changes the address at once. */
export async function submitEmail(c: WebContext): Promise<Response> {
  const session = requireProof(c)
  const { user, sessionId } = session
  const { store, clock, mailer } = c.var.deps
  const email = (await formOf(c)).text('email')
  return await tryForm(
    c,
    async () => {
      if (mailer) {
        await requestEmailChange(mailDeps(c), session, email)
        setFlash(c, 'good', `A link was sent to ${email.trim()}. The address changes when you open it.`)
      } else {
        const changed = {
          userId: user.id,
          sessionId,
          email: emailAddress(email),
          provenAt: null,
          now: clock.now(),
        }
        await store.people.setEmail(changed)
        await rememberDeviceAgain(c, user.id)
        c.var.deps.changes.emit('access', {})
        setFlash(c, 'good', changedWords(user.email, changed.email))
      }
      return seeOther(c, '/accounts/profile/')
    },
    problem => emailPage(c, email, problem),
  )
}

/** GET: the page that the link opens, with one button. */
export async function showConfirmEmail(c: WebContext): Promise<Response> {
  const { email } = await findEmailChange(c.var.deps, requireUser(c).user, c.req.param('token') ?? '')
  return await c.html(ConfirmEmailPage({ page: await pageContext(c), action: c.req.path, email }))
}

/** POST: changes the address. */
export async function submitConfirmEmail(c: WebContext): Promise<Response> {
  const session = requireUser(c)
  const email = await confirmEmailChange(mailDeps(c), session, c.req.param('token') ?? '')
  await rememberDeviceAgain(c, session.user.id)
  c.var.deps.changes.emit('access', {})
  setFlash(c, 'good', changedWords(session.user.email, email))
  return seeOther(c, '/accounts/profile/')
}

/** A confirmed or retyped address may be the one that the account had: then nothing has ended. */
function changedWords(before: string, email: string): string {
  const ended = email === before ? '' : ` ${ENDED}`
  return `Your address is ${email} now.${ended}`
}

async function emailPage(c: WebContext, email: string, problem: Problem | null) {
  const confirms = c.var.deps.mailer !== null
  const { user } = requireUser(c)
  return EmailPage({ page: await pageContext(c), current: user.email, email, confirms, problem })
}
