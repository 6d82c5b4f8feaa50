/**
 * The cookies of the site. Scripts cannot read them, they are sent only to this site, and only over https if the site
 * uses it. In that case their names have a prefix by which browsers reject cookies from other hosts and from plain
 * http. Source: RFC 6265bis, section 4.1.3.
 */
import { getCookie, setCookie } from 'hono/cookie'
import { path, type WebContext } from './context.js'

interface Scope {
  /** The path of the only page that reads it; by default, every page does. */
  page?: string
  /** The number of seconds that it lasts; by default, until the browser is closed. */
  maxAge?: number
}

/** Sets a cookie. */
export function putCookie(
  c: WebContext,
  name: string,
  value: string,
  { page = '/', maxAge }: Scope = {},
): void {
  setCookie(c, prefixed(c, name, page), value, {
    path: path(c, page),
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(c),
    ...(maxAge === undefined ? {} : { maxAge }),
  })
}

/** The value of a cookie, or null if it is not set. */
export function readCookie(c: WebContext, name: string, { page = '/' }: Scope = {}): string | null {
  return getCookie(c, prefixed(c, name, page)) ?? null
}

/** Deletes a cookie. */
export function dropCookie(c: WebContext, name: string, { page = '/' }: Scope = {}): void {
  putCookie(c, name, '', { page, maxAge: 0 })
}

/** `__Host-` is only for cookies of a whole host. */
function prefixed(c: WebContext, name: string, page: string): string {
  if (!isSecure(c)) return name
  return (path(c, page) === '/' ? '__Host-' : '__Secure-') + name
}

function isSecure(c: WebContext): boolean {
  return c.var.deps.config.SITE_ROOT.startsWith('https:')
}
