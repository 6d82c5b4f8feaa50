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
import { REVIEW_PATH } from '../review.js'
import { hasAsked, noteAsking } from './asked-link.js'
import { finishSignIn } from './finish-sign-in.js'
import { signInPage } from './sign-in.js'

/** POST: sends a link to the address, if it has an account, and says the same if it has none. */
export async function sendSignInLinkTo(c: WebContext): Promise<Response> {
  const form = await formOf(c)
  const email = form.text('email')
  return await tryForm(
    c,
    async () => {
      await sendSignInLink(
        { ...mailDeps(c), onError: c.var.deps.onError },
        { email, address: visitorOf(c).address, browser: noteAsking(c, email, SIGN_IN_LINK_SECONDS) },
      )
      return await c.html(LinkSentPage({ page: await pageContext(c), email, purpose: 'sign-in' }))
    },
    problem => signInPage(c, { email, next: safeNext(form.text('next')), problem }),
  )
}

/** GET: asks before the link is used up, since mail programs open links to look at them. */
export async function showSignInLink(c: WebContext): Promise<Response> {
  await findLink(c)
  return await c.html(SignInLinkPage({ page: await pageContext(c), action: c.req.path }))
}

/**
 * POST: signs in by the link, which works no more. Where no e-mail goes out the next link is not to be had so easily, so
 * it leads to where a password is chosen.
 */
export async function useSignInLink(c: WebContext): Promise<Response> {
  const { store, clock, mailer } = c.var.deps
  await findLink(c)
  const token = await store.people.takeToken(digestOf(c.req.param('token') ?? ''), 'sign-in', clock.now())
  if (token?.userId == null) throw expired(c)
  const { userId, email } = token
  // A link that was mailed has its address; the operator's, which is handed over, has none.
  const handedOver = email !== null && (await handOverAccount(noticeDeps(c), { id: userId, email }))
  const user = await store.people.signInFacts({ id: userId })
  // The account may have got another address in the meantime.
  if (!user || (email !== null && user.email !== email)) throw expired(c)
  if (handedOver) {
    noteSecurity(c, 'account-handed-over', { account: user.email })
    return await finishSignIn(c, user, 'link', REVIEW_PATH)
  }
  return await finishSignIn(c, user, 'link', mailer === null ? '/accounts/password/' : null)
}

/** Throws a `Refusal` for a link that is not good, or not in this browser; there it stays good for the other. */
async function findLink(c: WebContext): Promise<void> {
  const { store, clock } = c.var.deps
  const token = await store.people.findToken(digestOf(c.req.param('token') ?? ''), 'sign-in', clock.now())
  if (!token) throw expired(c)
  // The operator's link, which is handed over, has no address.
  if (token.email !== null && !hasAsked(c, token.email, SIGN_IN_LINK_SECONDS)) {
    throw new Refusal(
      'forbidden',
      'this link signs in only the browser that asked for it: open it there, or ask for another one here',
    )
  }
}

function expired(c: WebContext): Refusal {
  const remedy = c.var.deps.mailer
    ? 'ask for a new one where you sign in'
    : 'ask whoever gave it to you for a new one'
  return new Refusal('gone', `it was used already, or is too old: ${remedy}`)
}
