/**
 * Forms carry a token that only pages of this site know: a keyed digest of a secret that lies in the visitor's
 * own cookie. Source: OWASP, Cross-Site Request Forgery Prevention, "signed double-submit cookie".
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import { Refusal } from '../../core/errors.js'
import { newToken } from '../../lib/secrets.js'
import type { WebContext } from './context.js'
import { formOf } from './form.js'
import { cookieOptions } from './session.js'

const COOKIE = 'punctual_visitor'

/** The name of the form field, and of the header for scripts. */
export const CSRF_FIELD = 'csrf'
export const CSRF_HEADER = 'X-CSRF-Token'

/** The token for the forms of the page being made; gives the visitor a cookie where there is none. */
export function csrfToken(c: WebContext): string {
  let seed = seedOf(c)
  if (!seed) {
    seed = newToken()
    c.set('csrfSeed', seed)
    setCookie(c, COOKIE, seed, cookieOptions(c))
  }
  return sign(c, seed)
}

/**
 * Throws `Refusal('forbidden')` for a POST that no page of this site sent: without the right token, or said by
 * the browser to come from another site.
 */
export async function checkCsrf(c: WebContext): Promise<void> {
  const site = c.req.header('Sec-Fetch-Site')
  const seed = seedOf(c)
  const sent = c.req.header(CSRF_HEADER) ?? (await formOf(c)).text(CSRF_FIELD)
  const fromHere = site === undefined || site === 'same-origin' || site === 'none'
  if (!fromHere || !seed || !equal(sent, sign(c, seed))) {
    throw new Refusal('forbidden', 'this form has expired: go back, reload the page and send it again')
  }
}

function seedOf(c: WebContext): string | null {
  return c.var.csrfSeed ?? getCookie(c, COOKIE) ?? null
}

function sign(c: WebContext, seed: string): string {
  return createHmac('sha256', c.var.deps.config.secretKey).update(`csrf:${seed}`).digest('base64url')
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
