/**
 * Every cookie of the site: out of reach of scripts, for this site alone, and over https where the site has it. There its
 * name begins with a prefix that makes browsers hold other hosts and plain http to that. Source: RFC 6265bis, section 4.1.3.
 */
import { getCookie, setCookie } from 'hono/cookie'
import { path, type WebContext } from './context.js'

interface Scope {
  /** The path of the one page that reads it; left out, every page does. */
  page?: string
  /** How many seconds it lasts; left out, until the browser is closed. */
  maxAge?: number
}

/** Gives the visitor a cookie. */
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

/** The value of the visitor's cookie; null where there is none. */
export function readCookie(c: WebContext, name: string, { page = '/' }: Scope = {}): string | null {
  return getCookie(c, prefixed(c, name, page)) ?? null
}

/** Takes a cookie away. */
export function dropCookie(c: WebContext, name: string, { page = '/' }: Scope = {}): void {
  putCookie(c, name, '', { page, maxAge: 0 })
}

/** `__Host-` holds only for cookies of a whole host. */
function prefixed(c: WebContext, name: string, page: string): string {
  if (!isSecure(c)) return name
  return (path(c, page) === '/' ? '__Host-' : '__Secure-') + name
}

function isSecure(c: WebContext): boolean {
  return c.var.deps.config.SITE_ROOT.startsWith('https:')
}
