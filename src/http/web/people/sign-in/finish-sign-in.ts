import {
  beginSession,
  type SignInMethod,
  type SigningIn,
} from '../../../../actions/people/sign-in/begin-session.js'
import type { SignInFacts } from '../../../../storage/people/users.js'
import { seeOther, type WebContext } from '../../context.js'
import { homeOf } from '../../next.js'
import { visitorOf } from '../../visitor.js'
import { rememberDevice } from '../device.js'
import { noteSecurity, noteSignIn } from '../note-security.js'
import { REVIEW_PATH } from '../review.js'
import { setSessionCookie } from '../session.js'
import { awaitSecondStep } from './second-step.js'

/** Continues after the first proof: asks for the second step if the user has one, otherwise signs in. */
export async function finishSignIn(
  c: WebContext,
  user: SignInFacts,
  method: SignInMethod,
  next: string | null,
): Promise<Response> {
  if (user.totpSecret !== null || user.passkeys > 0) {
    awaitSecondStep(c, { user, method, next })
    noteSecurity(c, 'first-step-passed', { account: user.email, method })
    return seeOther(c, '/accounts/login/second/')
  }
  return await enter(c, user, method, next)
}

/**
 * Begins the session and redirects to the requested page, or to the review of an account that was handed over. Throws as
 * `beginSession` does.
 */
export async function enter(
  c: WebContext,
  user: SigningIn,
  method: SignInMethod,
  next: string | null,
): Promise<Response> {
  const { store, clock } = c.var.deps
  const token = await beginSession(store, clock, { user, method, visitor: visitorOf(c) })
  if (c.var.session) await store.people.closeSession(c.var.session.user.id, c.var.session.sessionId)
  setSessionCookie(c, token)
  rememberDevice(c, user)
  await noteSignIn(c, user.id, method)
  if (await store.people.hasToReview(user.id)) return seeOther(c, REVIEW_PATH)
  return seeOther(c, next ?? (await homeOf(c, user.id)))
}
