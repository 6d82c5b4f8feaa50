import { seeOther, type WebContext } from '../../context.js'
import { clearSessionCookie } from '../session.js'

/** POST: ends the session of this browser. */
export async function signOut(c: WebContext): Promise<Response> {
  const { session, deps } = c.var
  const { store, changes } = deps
  if (session) {
    await store.people.closeSession(session.user.id, session.sessionId)
    changes.emit('access', {})
  }
  clearSessionCookie(c)
  // Not its cookies and storage, because other programs may share the host.
  c.header('Clear-Site-Data', '"cache"')
  return seeOther(c, '/accounts/login/')
}
