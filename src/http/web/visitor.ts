import type { Visitor } from '../../actions/begin-session.js'
import { clientAddress } from '../../lib/client-address.js'
import type { WebContext } from './context.js'

/** Who sent a request: the browser's name, and the address that limits and session lists go by. */
export function visitorOf(c: WebContext): Visitor {
  return {
    ua: c.req.header('User-Agent') ?? '',
    address: clientAddress(
      c.env.incoming.socket.remoteAddress ?? '',
      c.req.header('X-Forwarded-For'),
      c.var.deps.config.TRUSTED_PROXIES,
    ),
  }
}
