/**
 * Browsers that have signed in to an account before. Wrong passwords are counted separately for each of them, so that
 * strangers cannot use up the owner's attempts. Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
import type { SigningIn } from '../../../actions/people/sign-in/begin-session.js'
import { secretKeysOf } from '../../../lib/secrets/secret-key.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import { isSignature, signatureOf } from '../../../lib/secrets/signing.js'
import type { WebContext } from '../context.js'
import { putCookie, readCookie } from '../cookies.js'

const COOKIE = 'punctual_device'
const PURPOSE = 'device'
const LASTS_SECONDS = 365 * 86_400
const SIGNATURE_LENGTH = 22

/** Remembers that this browser has signed in to the account, until the account's credentials end. */
export function rememberDevice(c: WebContext, user: SigningIn): void {
  const { device } = written(c) ?? { device: newToken() }
  const value = `${device}.${user.id}.${user.credentialsVersion}`
  const signature = signatureOf(c.var.deps.config.SECRET_KEY, PURPOSE, value)
  putCookie(c, COOKIE, signature + value, { maxAge: LASTS_SECONDS })
}

/**
 * Remembers the browser again after a change that ended the account's credentials, and with them all remembered
 * browsers, but not this session.
 */
export async function rememberDeviceAgain(c: WebContext, userId: number): Promise<void> {
  const user = await c.var.deps.store.people.signInFacts({ id: userId })
  if (user) rememberDevice(c, user)
}

/**
 * Identifies this browser, if its last sign-in was to the account with this address, with the account's current
 * credentials; otherwise null.
 */
export async function knownDevice(c: WebContext, email: string): Promise<string | null> {
  const found = written(c)
  if (!found) return null
  const user = await c.var.deps.store.people.findUser(email)
  if (user?.id !== found.userId || user.credentialsVersion !== found.credentialsVersion) return null
  return digestOf(`${found.device}.${user.id}`)
}

function written(c: WebContext): { device: string; userId: number; credentialsVersion: number } | null {
  const cookie = readCookie(c, COOKIE) ?? ''
  const [signature, value] = [cookie.slice(0, SIGNATURE_LENGTH), cookie.slice(SIGNATURE_LENGTH)]
  if (!isSignature(secretKeysOf(c.var.deps.config), PURPOSE, value, signature)) return null
  const [device = '', userId, version] = value.split('.')
  return { device, userId: Number(userId), credentialsVersion: Number(version) }
}
