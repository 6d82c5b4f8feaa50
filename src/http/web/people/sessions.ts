import { Refusal } from '../../../core/errors.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { requireUser } from './session.js'

/** POST: ends one of the user's own sessions. */
export async function revokeSession(c: WebContext): Promise<Response> {
  const { user } = requireUser(c)
  const closed = await c.var.deps.store.people.revokeSession(user.id, c.req.param('session')!)
  if (!closed) throw new Refusal('not-found', 'there is no such session')
  c.var.deps.changes.emit('access', {})
  setFlash(c, 'good', 'The session was signed out.')
  return seeOther(c, '/accounts/profile/#sessions')
}

/** POST: ends all of the user's sessions except the current one. */
export async function revokeOtherSessions(c: WebContext): Promise<Response> {
  const { user, sessionId } = requireUser(c)
  const closed = await c.var.deps.store.people.closeSessions(user.id, sessionId)
  c.var.deps.changes.emit('access', {})
  setFlash(c, 'good', closed === 1 ? 'One session was signed out.' : `${closed} sessions were signed out.`)
  return seeOther(c, '/accounts/profile/#sessions')
}
