/** What is shown on the next page and never again: a new key, a new link. It lies in a cookie of that page alone. */
import { parseJsonOrNull } from '../../lib/parse-json-or-null.js'
import type { WebContext } from './context.js'
import { dropCookie, putCookie, readCookie } from './cookies.js'
import { noStore } from './page-headers.js'

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
  putCookie(c, COOKIE, JSON.stringify(shown), { page, maxAge: SECONDS })
}

/** What was left for the page with this path, once; null where nothing was. */
export function takeShownOnce(c: WebContext, page: string): ShownOnce | null {
  const cookie = readCookie(c, COOKIE, { page })
  if (cookie === null) return null
  noStore(c)
  dropCookie(c, COOKIE, { page })
  return parseJsonOrNull(cookie) as ShownOnce | null
}
