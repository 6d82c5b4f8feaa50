/** Something that is shown once, on the next page: a new key, a new link. It is stored in a cookie of that page. */
import { parseJsonOrNull } from '../../lib/formats/parse-json-or-null.js'
import type { WebContext } from './context.js'
import { dropCookie, putCookie, readCookie } from './cookies.js'
import { noStore } from './page-headers.js'

const COOKIE = 'punctual_once'
const SECONDS = 60

/** A new secret that is not shown again. */
export interface ShownOnce {
  what: 'rw' | 'ro' | 'ping' | 'token' | 'invitation' | 'webhook'
  text: string
  /** Whom it was also sent to, if anyone. */
  sentTo: string | null
}

/** Stores it for the page with this path. */
export function showOnce(c: WebContext, page: string, shown: ShownOnce): void {
  putCookie(c, COOKIE, JSON.stringify(shown), { page, maxAge: SECONDS })
}

/** Returns and removes what is stored for the page with this path; null if there is nothing. */
export function takeShownOnce(c: WebContext, page: string): ShownOnce | null {
  const cookie = readCookie(c, COOKIE, { page })
  if (cookie === null) return null
  noStore(c)
  dropCookie(c, COOKIE, { page })
  return parseJsonOrNull(cookie) as ShownOnce | null
}
