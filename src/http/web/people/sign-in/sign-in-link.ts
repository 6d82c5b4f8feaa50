import { handOverAccount } from '../../../../actions/people/hand-over-account.js'
import { SIGN_IN_LINK_SECONDS, sendSignInLink } from '../../../../actions/people/sign-in/send-sign-in-link.js'
import { Refusal } from '../../../../core/errors.js'
import { digestOf } from '../../../../lib/secrets/secrets.js'
import { LinkSentPage } from '../../../../views/pages/people/sign-in/link-sent.js'
import { SignInLinkPage } from '../../../../views/pages/people/sign-in/sign-in-link.js'
import type { WebContext } from '../../context.js'
import { formOf } from '../../form.js'
import { safeNext } from '../../next.js'
import { pageContext } from '../../page-context.js'
import { mailDeps, noticeDeps } from '../../site.js'
import { tryForm } from '../../try-form.js'
import { visitorOf } from '../../visitor.js'
import { noteSecurity } from '../note-security.js'
import { hasAsked, noteAsking } from './asked-link.js'
import { finishSignIn } from './finish-sign-in.js'
import { signInPage } from './sign-in.js'

/** POST: sends a link to the address if it has an account. The response is the same if it has none. */
export async function sendSignInLinkTo(c: WebContext): Promise<Response> {
  const form = await formOf(c)
  const email = form.text('email')
  return await tryForm(
    c,
    async () => {
      const browser = noteAsking(c, email, SIGN_IN_LINK_SECONDS)
      await sendSignInLink(mailDeps(c), { email, address: visitorOf(c).address, browser })
      return await c.html(LinkSentPage({ page: await pageContext(c), email, purpose: 'sign-in' }))
    },
    problem => signInPage(c, { email, next: safeNext(form.text('next')), problem }),
  )
}

/** GET: asks for confirmation before the link is used up, because mail programs open links to scan them. */
export async function showSignInLink(c: WebContext): Promise<Response> {
  await findLink(c)
  return await c.html(SignInLinkPage({ page: await pageContext(c), action: c.req.path }))
}

/**
 * POST: signs in with the link, which is then invalid. If the installation sends no e-mail, another link is hard to
 * get, so it redirects to the form for a password.
 */
export async function useSignInLink(c: WebContext): Promise<Response> {
  const { store, clock, mailer } = c.var.deps
  await findLink(c)
  const link = await store.people.takeSignInLink(digestOf(c.req.param('token') ?? ''), clock.now())
  if (!link) throw expired(c)
  const { userId, email, credentialsVersion } = link
  const handedOver = await handOverAccount(noticeDeps(c), { id: userId, email })
  const user = await store.people.signInFacts({ id: userId })
  // The account's address may have changed in the meantime.
  if (!user || user.email !== email) throw expired(c)
  if (handedOver) noteSecurity(c, 'account-handed-over', { account: user.email })
  // What ended the account's sign-ins since then ended this one, too.
  const proven = handedOver ? user : { ...user, credentialsVersion }
  return await finishSignIn(c, proven, 'link', mailer === null ? '/accounts/password/' : null)
}

/** Throws a `Refusal` if the link is invalid, or was requested in another browser, where it remains valid. */
async function findLink(c: WebContext): Promise<void> {
  const { store, clock } = c.var.deps
  const token = await store.people.findToken(digestOf(c.req.param('token') ?? ''), 'sign-in', clock.now())
  if (!token) throw expired(c)
  // The operator's link, which is handed over, names no address.
  if (token.email !== null && !hasAsked(c, token.email, SIGN_IN_LINK_SECONDS)) {
    throw new Refusal(
      'forbidden',
      'this link works only in the browser in which it was requested: open it there, or request another one here',
    )
  }
}

function expired(c: WebContext): Refusal {
  const remedy = c.var.deps.mailer
    ? 'request a new one on the sign-in page'
    : 'ask the person who gave it to you for a new one'
  return new Refusal('gone', `it was already used, or has expired: ${remedy}`)
}
