/** Sessions: a cookie holds a random token, the database its digest. */
import { SEEN_EVERY_MS, SESSION_MS } from '../../../core/people/session.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { OwnSession } from '../../../storage/people/lock-account.js'
import type { SignedIn } from '../../../storage/people/sessions.js'
import type { WebContext } from '../context.js'
import { dropCookie, putCookie, readCookie } from '../cookies.js'
import { sessionOfRemoteUser } from './sign-in/remote-user.js'

/** The cookie that holds a session's token. */
export const SESSION_COOKIE = 'punctual_session'

/** Loads the session of a request, and records that it was used. */
export async function loadSession(c: WebContext): Promise<void> {
  const { store, clock } = c.var.deps
  const now = clock.now()
  let token = readCookie(c, SESSION_COOKIE)
  let session = token ? await store.people.findSession(digestOf(token), now) : null
  if (c.var.deps.config.REMOTE_USER_HEADER !== '') {
    const vouched = await sessionOfRemoteUser(c, session)
    if (vouched?.token) setSessionCookie(c, vouched.token)
    token = vouched?.token ?? token
    session = vouched?.session ?? null
  }
  c.set('session', session)
  c.set('csrfSeed', session ? token! : null)
  if (session && now - session.seenAt >= SEEN_EVERY_MS) {
    await store.people.touchSession(session, now)
    setSessionCookie(c, token!)
  }
}

/**
 * Checks the session again after a body that may have taken long to arrive. Throws `SignInNeeded` if the session has
 * ended.
 */
export async function confirmSession(c: WebContext): Promise<void> {
  const { session } = c.var
  if (session) c.set('session', await lookAtSession(c.var, session))
}

/** The session as it is now. Throws `SignInNeeded` if it has ended. */
export async function lookAtSession(
  { deps: { store, clock }, csrfSeed }: Pick<WebContext['var'], 'deps' | 'csrfSeed'>,
  { user }: SignedIn,
): Promise<SignedIn> {
  const still = await store.people.findSession(digestOf(csrfSeed!), clock.now())
  if (still?.user.id !== user.id) throw new SignInNeeded()
  return still
}

/** The user who is signed in. Throws `SignInNeeded`, to which the response is a redirect to the sign-in page. */
export function requireUser(c: WebContext): SignedIn {
  if (!c.var.session) throw new SignInNeeded()
  return c.var.session
}

/** The session of the user who is signed in, for writes that must not outlive it. */
export function ownSession(c: WebContext): OwnSession {
  const { user, sessionId } = requireUser(c)
  return { userId: user.id, sessionId }
}

/** The page requires a user who is signed in. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
}

/** Sets the cookie of a session. */
export function setSessionCookie(c: WebContext, token: string): void {
  putCookie(c, SESSION_COOKIE, token, { maxAge: SESSION_MS / 1000 })
}

/** Deletes the cookie. */
export function clearSessionCookie(c: WebContext): void {
  dropCookie(c, SESSION_COOKIE)
}
