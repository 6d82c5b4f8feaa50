import { createAccount } from '../../../../actions/people/create-account.js'
import { hashNewPassword } from '../../../../actions/people/hash-new-password.js'
import { SIGN_UP_LINK_SECONDS } from '../../../../actions/people/sign-in/send-sign-up-link.js'
import { Refusal } from '../../../../core/errors.js'
import { addressOrNull } from '../../../../core/people/email-address.js'
import { digestOf } from '../../../../lib/secrets/secrets.js'
import type { Problem } from '../../../../views/components/forms/form-problem.js'
import { SignUpLinkPage } from '../../../../views/pages/people/sign-in/sign-up-link.js'
import type { WebContext } from '../../context.js'
import { formOf } from '../../form.js'
import { pageContext } from '../../page-context.js'
import { tryForm } from '../../try-form.js'
import { hasAsked } from './asked-link.js'
import { enter } from './finish-sign-in.js'
import { requireOpen } from './sign-up.js'

/**
 * GET: the form behind the link of the sign-up e-mail, for choosing a password. In a browser that did not request the
 * link, the address is not shown but must be entered, so that nobody creates an account with another person's address
 * by opening their link.
 */
export async function showSignUpLink(c: WebContext): Promise<Response> {
  await requireOpen(c)
  return await c.html(await signUpLinkPage(c, await emailOf(c), null))
}

/** POST: creates the account and signs the user in. */
export async function submitSignUpLink(c: WebContext): Promise<Response> {
  await requireOpen(c)
  const { store, clock, mailer } = c.var.deps
  const form = await formOf(c)
  const email = await emailOf(c)
  return await tryForm(
    c,
    async () => {
      if (!hasAsked(c, email, SIGN_UP_LINK_SECONDS) && addressOrNull(form.text('email')) !== email) {
        throw new Refusal('invalid', 'this link was sent to another address', 'email')
      }
      const passwordHash = await hashNewPassword(form.text('password'), email)
      const account = await createAccount(
        { store, clock, hasMailer: mailer !== null },
        { email, passwordHash, emailProven: true, timezone: form.text('timezone') },
      )
      // Not earlier: if the account cannot be created, the link remains valid.
      await store.people.takeToken(digestOf(c.req.param('token')!), 'sign-up', clock.now())
      return await enter(c, account.user, 'password', `/checks/${account.check!.uuid}/details/`)
    },
    problem => signUpLinkPage(c, email, problem),
  )
}

/** The address to which the link was sent. */
async function emailOf(c: WebContext): Promise<string> {
  const { store, clock } = c.var.deps
  const token = await store.people.findToken(digestOf(c.req.param('token') ?? ''), 'sign-up', clock.now())
  if (!token?.email)
    throw new Refusal('gone', 'it was already used, or has expired: sign up again to get a new one')
  return token.email
}

async function signUpLinkPage(c: WebContext, email: string, problem: Problem | null) {
  const known = hasAsked(c, email, SIGN_UP_LINK_SECONDS) ? email : null
  return SignUpLinkPage({ page: await pageContext(c), action: c.req.path, email: known, problem })
}
