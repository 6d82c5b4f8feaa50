/**
 * Which browser asked for a link to which address. A mailed link that signs in is good only in a browser that asked for one to
 * its address, so that no link leads a person into somebody else's account. It need not be that very link: where strangers
 * have used up the mails that an address is sent, the owner's browser opens the newest of theirs.
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
 * Notes in a cookie that this browser asks for a link to an address, which is good for `seconds`. Returns the digest by
 * which the links of this browser are told from those of others.
 */
export function noteAsking(c: WebContext, email: string, seconds: number): string {
  const secret = readAsking(c)?.secret || newToken()
  const asking = `${secret}.${c.var.deps.clock.now()}`
  const signature = signatureOf(c.var.deps.config.SECRET_KEY, PURPOSE, signed(asking, email))
  putCookie(c, COOKIE, signature + asking, { maxAge: seconds })
  return digestOf(secret)
}

/** Whether the last link that this browser asked for was to this address, within so many seconds. */
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
