import type { Visitor } from '../../actions/begin-session.js'
import { addressOf } from '../client.js'
import type { WebContext } from './context.js'

/** Who sent a request: the browser's name, and the address that limits and session lists go by. */
export function visitorOf(c: WebContext): Visitor {
  return {
    ua: c.req.header('User-Agent') ?? '',
    address: addressOf(c.var.deps.config, c.env.incoming, c.req.header('X-Forwarded-For')),
  }
}
