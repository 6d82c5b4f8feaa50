/**
 * Forms contain a token that only pages of this site know: a keyed digest of a secret in the visitor's cookie. Source:
 * OWASP, Cross-Site Request Forgery Prevention, "signed double-submit cookie".
 */
import { Refusal } from '../../core/errors.js'
import { secretKeysOf } from '../../lib/secrets/secret-key.js'
import { newToken } from '../../lib/secrets/secrets.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { WebContext } from './context.js'
import { putCookie, readCookie } from './cookies.js'
import { formOf } from './form.js'

const PURPOSE = 'csrf'
const COOKIE = 'punctual_visitor'

/** The name of the form field, and of the header for scripts. */
const CSRF_FIELD = 'csrf'
const CSRF_HEADER = 'X-CSRF-Token'

/** A POST that did not come from a page of this site. */
export class CsrfRefusal extends Refusal {
  constructor() {
    super('forbidden', 'this form has expired: go back, reload the page and submit it again')
  }
}

/** The token for the forms of the current page. Sets the visitor's cookie if there is none. */
export function csrfToken(c: WebContext): string {
  let seed = seedOf(c)
  if (!seed) {
    seed = newToken()
    c.set('csrfSeed', seed)
    putCookie(c, COOKIE, seed)
  }
  return sign(c, seed)
}

/** Throws a `CsrfRefusal` for a POST without the correct token, or from another site according to the browser. */
export async function checkCsrf(c: WebContext): Promise<void> {
  const site = c.req.header('Sec-Fetch-Site')
  const seed = seedOf(c)
  const sent = c.req.header(CSRF_HEADER) ?? (await formOf(c)).text(CSRF_FIELD)
  const fromHere = site === undefined || site === 'same-origin' || site === 'none'
  if (!fromHere || !seed || !isSigned(c, seed, sent)) {
    throw new CsrfRefusal()
  }
}

function seedOf(c: WebContext): string | null {
  return c.var.csrfSeed ?? readCookie(c, COOKIE)
}

/** Each page has a different token, so that the length of compressed pages does not reveal it (BREACH). */
function sign(c: WebContext, seed: string): string {
  const nonce = newToken().slice(0, 22)
  return nonce + signatureOf(c.var.deps.config.SECRET_KEY, PURPOSE, seed + nonce)
}

function isSigned(c: WebContext, seed: string, token: string): boolean {
  const [nonce, signature] = [token.slice(0, 22), token.slice(22)]
  return isSignature(secretKeysOf(c.var.deps.config), PURPOSE, seed + nonce, signature)
}
