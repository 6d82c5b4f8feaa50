import { seeOther, type WebContext } from '../context.js'
import { clearSessionCookie } from '../session.js'

/** POST: ends the session of this browser. */
export async function signOut(c: WebContext): Promise<Response> {
  if (c.var.session) await c.var.deps.store.endSession(c.var.session.sessionId)
  clearSessionCookie(c)
  return seeOther(c, '/accounts/login/')
}
