import type { Context } from 'hono'
import type { Need } from '../../core/people/role.js'
import type { SecurityFacts } from '../../lib/log/security-log.js'
import type { SignedIn } from '../../storage/people/sessions.js'
import type { AppDeps, Bindings } from '../deps.js'
import type { RowCache } from './checks/list/row-cache.js'
import type { LiveStreams } from './live/live-streams.js'

/** The variables that every page's handler finds in its context. */
export interface WebEnv {
  Bindings: Bindings
  Variables: {
    deps: AppDeps
    /** The path of SITE_ROOT, without a trailing slash; empty if none. */
    base: string
    streams: LiveStreams
    /** Rows of lists of checks. */
    rows: RowCache
    /** The user who is signed in, or null. */
    session: SignedIn | null
    /** The secret of this visitor's CSRF tokens: the token of the session, or of a cookie if there is no session. */
    csrfSeed: string | null
    /** What the user had to be allowed in projects, by UUID, for the request to be answered. */
    needed: { uuid: string; need: Need }[]
    /** The UUIDs of the projects that the request is about because their list says that the user may do there what is needed. */
    listed: Map<Need, readonly string[]>
    /** Whether the size of the form is limited, so that it may be read. */
    isFormLimited?: boolean
    /** The path of the route, with the names of its parameters. */
    route: string
    /** Fields that a handler adds to a line of the security log. */
    noted?: SecurityFacts
  }
}

export type WebContext = Context<WebEnv>

/** Handles a request to a route. */
export type Handler = (c: WebContext) => Response | Promise<Response>

/** The address of a page of this site, from its path (`/checks/…`), with the site's prefix. */
export function path(c: WebContext, to: string): string {
  return c.var.base + to
}

/** Redirects the visitor to another page of this site, after a POST or if a page has moved. */
export function seeOther(c: WebContext, to: string): Response {
  return c.redirect(path(c, to), 303)
}
