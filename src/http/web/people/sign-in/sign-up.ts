import { createAccount } from '../../../../actions/people/create-account.js'
import { hashNewPassword } from '../../../../actions/people/hash-new-password.js'
import { limitAttempts } from '../../../../actions/people/sign-in/limit-attempts.js'
import { SIGN_UP_LINK_SECONDS, sendSignUpLink } from '../../../../actions/people/sign-in/send-sign-up-link.js'
import { Refusal } from '../../../../core/errors.js'
import type { Problem } from '../../../../views/components/forms/form-problem.js'
import { LinkSentPage } from '../../../../views/pages/people/sign-in/link-sent.js'
import { SignUpPage } from '../../../../views/pages/people/sign-in/sign-up.js'
import { seeOther, type WebContext } from '../../context.js'
import { formOf } from '../../form.js'
import { homeOf } from '../../next.js'
import { pageContext } from '../../page-context.js'
import { mailDeps } from '../../site.js'
import { tryForm } from '../../try-form.js'
import { visitorOf } from '../../visitor.js'
import { noteAsking } from './asked-link.js'
import { enter } from './finish-sign-in.js'

/** GET: the form, if registration is open. */
export async function showSignUp(c: WebContext): Promise<Response> {
  await requireOpen(c)
  if (c.var.session) return seeOther(c, await homeOf(c, c.var.session.user.id))
  return await c.html(await signUpPage(c, '', null))
}

/**
 * POST: creates the account at once if the installation sends no e-mail. Otherwise sends a link; the response is the
 * same whether or not the address has an account.
 */
export async function submitSignUp(c: WebContext): Promise<Response> {
  await requireOpen(c)
  const { store, clock, mailer } = c.var.deps
  const form = await formOf(c)
  const email = form.text('email')
  return await tryForm(
    c,
    async () => {
      const { address } = visitorOf(c)
      if (mailer) {
        const browser = noteAsking(c, email, SIGN_UP_LINK_SECONDS)
        await sendSignUpLink(mailDeps(c), { email, address, browser })
        return await c.html(LinkSentPage({ page: await pageContext(c), email, purpose: 'sign-up' }))
      }
      await limitAttempts(store, clock, { signUp: address })
      const passwordHash = await hashNewPassword(form.text('password'), email)
      const account = await createAccount(
        { store, clock, hasMailer: false },
        { email, passwordHash, emailProven: false, timezone: form.text('timezone') },
      )
      return await enter(c, account.user, 'password', `/checks/${account.check!.uuid}/details/`)
    },
    problem => signUpPage(c, email, problem),
  )
}

/** Until there is an account, only the printed link creates one, so that no stranger can create the first. */
export async function requireOpen(c: WebContext): Promise<void> {
  const { config, store } = c.var.deps
  if (!config.REGISTRATION_OPEN) throw new Refusal('forbidden', 'new accounts are by invitation only')
  if (!(await store.people.hasUsers())) {
    throw new Refusal(
      'forbidden',
      'create the first account with the link that the server printed when it started',
    )
  }
}

async function signUpPage(c: WebContext, email: string, problem: Problem | null) {
  const confirms = c.var.deps.mailer !== null
  return SignUpPage({ page: await pageContext(c), email, problem, confirms })
}
