import { beginSession, type SignInMethod } from '../../actions/begin-session.js'
import type { SignInFacts } from '../../storage/users.js'
import { seeOther, type WebContext } from './context.js'
import { homeOf } from './next.js'
import { awaitSecondStep } from './second-step.js'
import { setSessionCookie } from './session.js'
import { visitorOf } from './visitor.js'

/** What is left to do for somebody who has shown one proof of who they are: the second, where they have one. */
export async function finishSignIn(
  c: WebContext,
  user: SignInFacts,
  method: SignInMethod,
  next: string | null,
): Promise<Response> {
  if (user.totpSecret !== null || user.passkeys > 0) {
    awaitSecondStep(c, { userId: user.id, method, next })
    return seeOther(c, '/accounts/login/second/')
  }
  return await enter(c, user.id, method, next)
}

/** Begins the session and leads on to where the person wanted to go. */
export async function enter(
  c: WebContext,
  userId: number,
  method: SignInMethod,
  next: string | null,
): Promise<Response> {
  const { store, clock } = c.var.deps
  if (c.var.session) await store.endSession(c.var.session.sessionId)
  setSessionCookie(c, await beginSession(store, clock, { userId, method, visitor: visitorOf(c) }))
  return seeOther(c, next ?? (await homeOf(c, userId)))
}
