import type { Visitor } from '../../actions/people/sign-in/begin-session.js'
import { isTrusted } from '../../lib/http/client-address.js'
import { addressOf } from '../client.js'
import type { WebContext } from './context.js'

/** The sender of a request: the browser's name, and the address used for limits and the list of sessions. */
export function visitorOf(c: WebContext): Visitor {
  const { config, onUntrustedProxy } = c.var.deps
  const peer = c.env.incoming.socket.remoteAddress ?? ''
  const forwarded = c.req.header('X-Forwarded-For')
  if (forwarded !== undefined && !isTrusted(peer, config.TRUSTED_PROXIES)) onUntrustedProxy(peer)
  return {
    ua: c.req.header('User-Agent') ?? '',
    address: addressOf(config, c.env.incoming),
  }
}
