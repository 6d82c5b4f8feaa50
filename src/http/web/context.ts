import type { Context } from 'hono'
import type { SecurityFacts } from '../../lib/log/security-log.js'
import type { SignedIn } from '../../storage/people/sessions.js'
import type { AppDeps, Bindings } from '../deps.js'
import type { LiveStreams } from './live/live-streams.js'

/** What every page's handler finds in its context. */
export interface WebEnv {
  Bindings: Bindings
  Variables: {
    deps: AppDeps
    /** The path part of SITE_ROOT, without a slash at the end; empty for none. */
    base: string
    streams: LiveStreams
    /** Who is signed in; null for nobody. */
    session: SignedIn | null
    /** What this visitor's CSRF token is made of: the session's token, or that of a visitor's cookie. */
    csrfSeed: string | null
    /** Whether the request has made an account its owner's, who has to review it. */
    needsReview?: boolean
    /** The path of the route, with its parameters' names. */
    route: string
    /** What a handler adds to a line of the security log. */
    noted?: SecurityFacts
  }
}

export type WebContext = Context<WebEnv>

/** What a route does with a request. */
export type Handler = (c: WebContext) => Response | Promise<Response>

/** The address of a page of this site, from its path (`/checks/…`); right under a prefix too. */
export function path(c: WebContext, to: string): string {
  return c.var.base + to
}

/** Sends the visitor on to another page of this site, after a POST or where a page has moved. */
export function seeOther(c: WebContext, to: string): Response {
  return c.redirect(path(c, to), 303)
}
