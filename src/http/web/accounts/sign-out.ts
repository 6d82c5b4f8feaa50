import { seeOther, type WebContext } from '../context.js'
import { clearSessionCookie } from '../session.js'

/** POST: ends the session of this browser. */
export async function signOut(c: WebContext): Promise<Response> {
  const { store, changes } = c.var.deps
  if (c.var.session) {
    await store.endSession(c.var.session.sessionId)
    changes.tell('access', {})
  }
  clearSessionCookie(c)
  // Not its cookies and storage: other programs may share the host.
  c.header('Clear-Site-Data', '"cache"')
  return seeOther(c, '/accounts/login/')
}
