import type { Actor } from '../../lib/actor.js'
import type { WebContext } from './context.js'
import { visitorOf } from './visitor.js'

/** Who acts by a request: the user who is signed in, or anyone with the address of a page that needs no session. */
export function actorOf(c: WebContext): Actor {
  const { address } = visitorOf(c)
  if (!c.var.session) return { kind: 'link', id: null, name: '', address }
  const { uuid, email } = c.var.session.user
  return { kind: 'person', id: uuid, name: email, address }
}
