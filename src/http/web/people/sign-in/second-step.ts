/** The state between the two steps of a sign-in: a signed cookie that names the user, valid for five minutes. */
import type { SignInMethod, SigningIn } from '../../../../actions/people/sign-in/begin-session.js'
import { secretKeysOf } from '../../../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../../../lib/secrets/signing.js'
import type { SignInFacts } from '../../../../storage/people/users.js'
import type { WebContext } from '../../context.js'
import { dropCookie, putCookie, readCookie } from '../../cookies.js'
import { safeNext } from '../../next.js'

const COOKIE = 'punctual_second'
const PURPOSE = 'second step'
const LASTS_SECONDS = 300

/** A user who has taken the first step but not the second. */
export interface HalfSignedIn {
  user: SigningIn
  method: SignInMethod
  next: string | null
}

/** The contents of the cookie: its expiry (ms UTC), and the fields of `HalfSignedIn`. */
type Written = [number, number, number, SignInMethod, string | null]

/** Records that a user has taken the first step. */
export function awaitSecondStep(c: WebContext, { user, method, next }: HalfSignedIn): void {
  const until = c.var.deps.clock.now() + LASTS_SECONDS * 1000
  const value = JSON.stringify([until, user.id, user.credentialsVersion, method, next])
  const signature = signatureOf(c.var.deps.config.SECRET_KEY, PURPOSE, value)
  putCookie(c, COOKIE, signature + value, { maxAge: LASTS_SECONDS })
}

/** The user who has taken the first step in this browser; null if there is none, or after five minutes. */
export function halfSignedIn(c: WebContext): HalfSignedIn | null {
  const cookie = readCookie(c, COOKIE) ?? ''
  const [signature, value] = [cookie.slice(0, 22), cookie.slice(22)]
  if (!isSignature(secretKeysOf(c.var.deps.config), PURPOSE, value, signature)) return null
  const [until, id, credentialsVersion, method, next] = JSON.parse(value) as Written
  if (c.var.deps.clock.now() >= until) return null
  return { user: { id, credentialsVersion }, method, next: safeNext(next ?? undefined) }
}

/** Deletes the record when the second step is done. */
export function clearSecondStep(c: WebContext): void {
  dropCookie(c, COOKIE)
}

/** A user who has taken the first step, with the facts about them. */
export interface Waiting {
  half: HalfSignedIn
  user: SignInFacts
}

/** The user who has taken the first step in this browser, with the facts about them. */
export async function waiting(c: WebContext): Promise<Waiting | null> {
  const half = halfSignedIn(c)
  const user = half && (await c.var.deps.store.people.signInFacts({ id: half.user.id }))
  // If the credentials have ended since, the first step no longer counts.
  return half && user?.credentialsVersion === half.user.credentialsVersion ? { half, user } : null
}
