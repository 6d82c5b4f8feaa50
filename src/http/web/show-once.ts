/** Something that is shown once, on the next page: a new key, a new link. It is stored in a cookie of that page. */
import { parseJsonOrNull } from '../../lib/formats/parse-json-or-null.js'
import type { WebContext } from './context.js'
import { dropCookie, putCookie, readCookie } from './cookies.js'
import { noStore } from './page-headers.js'
import { requireUser } from './people/session.js'

const COOKIE = 'punctual_once'
const SECONDS = 60

/** A new secret that is not shown again. */
export interface ShownOnce {
  what: 'rw' | 'ro' | 'ping' | 'token' | 'invitation' | 'webhook'
  text: string
  /** Whom it was also sent to, if anyone. */
  sentTo: string | null
}

/** Stores it for the page with this path, for who is signed in. */
export function showOnce(c: WebContext, page: string, shown: ShownOnce): void {
  const stored: Stored = { ...shown, for: requireUser(c).user.uuid }
  putCookie(c, COOKIE, JSON.stringify(stored), { page, maxAge: SECONDS })
}

/** `for`: the person. Somebody else may sign in in the same browser before it was shown. */
type Stored = ShownOnce & { for: string }

/** Returns and removes what is stored for the page with this path; null if there is nothing for who is signed in. */
export function takeShownOnce(c: WebContext, page: string): ShownOnce | null {
  const cookie = readCookie(c, COOKIE, { page })
  if (cookie === null) return null
  noStore(c)
  dropCookie(c, COOKIE, { page })
  const stored = parseJsonOrNull(cookie) as Stored | null
  return stored?.for === requireUser(c).user.uuid ? stored : null
}
