/** One line of the table of pages and actions, and how such lines are written; see routes.ts. */
import type { Handler } from './context.js'

export interface WebRoute {
  method: 'GET' | 'POST'
  /** Relative to SITE_ROOT. `:uuid` and the like are parameters. */
  path: string
  handle: Handler
  /** Whether it is open to visitors who are not signed in. */
  open?: boolean
  /** Whether it acts for a user who is signed in, although it is also open to others. */
  actsForUser?: boolean
  /** Whether it is open to users who must still set up a required second step. */
  setsUpSecondStep?: boolean
  /** Whether a signature in the address replaces the CSRF token, so that other programs can post to it. */
  signed?: boolean
  /** Whether the response is a stream, of which a user may have only a few; see live-streams.ts. */
  live?: boolean
}

/** A page. */
export const get = (path: string, handle: Handler): WebRoute => ({ method: 'GET', path, handle })
/** An action. */
export const post = (path: string, handle: Handler): WebRoute => ({ method: 'POST', path, handle })
/** A stream of changes of a page. */
export const live = (path: string, handle: Handler): WebRoute => ({ ...get(path, handle), live: true })
/** A form: GET shows it, and POST to the same address submits it. */
export const form = (path: string, show: Handler, submit: Handler) => [get(path, show), post(path, submit)]

export const open = (route: WebRoute): WebRoute => ({ ...route, open: true })
export const joins = (route: WebRoute): WebRoute => ({ ...open(route), actsForUser: true })
export const signed = (route: WebRoute): WebRoute => ({ ...open(route), signed: true })
export const setsUp = (route: WebRoute): WebRoute => ({ ...route, setsUpSecondStep: true })
