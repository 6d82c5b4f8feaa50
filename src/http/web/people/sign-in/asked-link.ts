/**
 * Records which browser requested a link for which address. An e-mailed sign-in link is valid only in a browser that
 * requested one for the same address, so that a link cannot lead users into another person's account. It need not be
 * the same link: if strangers have used up the limit of e-mails to an address, the owner's browser can use the newest
 * of their links.
 */
import { addressOrNull } from '../../../../core/people/email-address.js'
import { secretKeysOf } from '../../../../lib/secrets/secret-key.js'
import { digestOf, newToken } from '../../../../lib/secrets/secrets.js'
import { isSignature, signatureOf } from '../../../../lib/secrets/signing.js'
import type { WebContext } from '../../context.js'
import { putCookie, readCookie } from '../../cookies.js'

const COOKIE = 'punctual_link'
const PURPOSE = 'asked-link'
const SIGNATURE_LENGTH = 22

/**
 * Records in a cookie that this browser requests a link for an address, valid for `seconds`. Returns the digest that
 * distinguishes this browser's links from others.
 */
export function noteAsking(c: WebContext, email: string, seconds: number): string {
  const secret = readAsking(c)?.secret || newToken()
  const asking = `${secret}.${c.var.deps.clock.now()}`
  const signature = signatureOf(c.var.deps.config.SECRET_KEY, PURPOSE, signed(asking, email))
  putCookie(c, COOKIE, signature + asking, { maxAge: seconds })
  return digestOf(secret)
}

/** Whether this browser's last request for a link was for this address, at most this many seconds ago. */
export function hasAsked(c: WebContext, email: string, seconds: number): boolean {
  const found = readAsking(c)
  if (!found) return false
  const { config, clock } = c.var.deps
  const isSigned = isSignature(secretKeysOf(config), PURPOSE, signed(found.asking, email), found.signature)
  return isSigned && clock.now() - found.askedAt <= seconds * 1000
}

function readAsking(c: WebContext) {
  const cookie = readCookie(c, COOKIE)
  if (cookie === null) return null
  const [signature, asking] = [cookie.slice(0, SIGNATURE_LENGTH), cookie.slice(SIGNATURE_LENGTH)]
  const [secret = '', askedAt = ''] = asking.split('.')
  return { signature, asking, secret, askedAt: Number(askedAt) }
}

function signed(asking: string, email: string): string {
  return `${asking}.${addressOrNull(email) ?? ''}`
}
