/** What is shown on the next page and never again: a new key, a new link. It lies in a cookie of that page alone. */
import { getCookie, setCookie } from 'hono/cookie'
import { parsedJson } from '../../lib/parsed-json.js'
import { path, type WebContext } from './context.js'
import { noStore } from './page-headers.js'
import { cookieOptions } from './session.js'

const COOKIE = 'punctual_once'
const SECONDS = 60

/** Something new, which the database knows only a digest of. */
export interface ShownOnce {
  what: 'rw' | 'ro' | 'ping' | 'invitation'
  text: string
  /** Whom it was sent to as well, if anybody. */
  sentTo: string | null
}

/** Leaves it for the page with this path. */
export function showOnce(c: WebContext, page: string, shown: ShownOnce): void {
  setCookie(c, COOKIE, JSON.stringify(shown), { ...cookieOptions(c), path: path(c, page), maxAge: SECONDS })
}

/** What was left for the page with this path, once; null where nothing was. */
export function takeShownOnce(c: WebContext, page: string): ShownOnce | null {
  const cookie = getCookie(c, COOKIE)
  if (cookie === undefined) return null
  noStore(c)
  setCookie(c, COOKIE, '', { ...cookieOptions(c), path: path(c, page), maxAge: 0 })
  return parsedJson(cookie) as ShownOnce | null
}
