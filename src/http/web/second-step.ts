/** Between the two steps of a sign-in: a signed cookie says who has taken the first, for five minutes. */
import { getCookie, setCookie } from 'hono/cookie'
import type { SignInMethod } from '../../actions/begin-session.js'
import { isSignature, signatureOf } from '../../lib/signing.js'
import type { WebContext } from './context.js'
import { safeNext } from './next.js'
import { cookieOptions } from './session.js'

const COOKIE = 'punctual_second'
const PURPOSE = 'second step'
const LASTS_SECONDS = 300

/** Somebody who has to take the second step. */
export interface HalfSignedIn {
  userId: number
  method: SignInMethod
  next: string | null
}

/** Remembers that somebody has taken the first step. */
export function awaitSecondStep(c: WebContext, { userId, method, next }: HalfSignedIn): void {
  const until = c.var.deps.clock.now() + LASTS_SECONDS * 1000
  const value = JSON.stringify([until, userId, method, next])
  const signature = signatureOf(c.var.deps.config.SECRET_KEY, PURPOSE, value)
  setCookie(c, COOKIE, signature + value, { ...cookieOptions(c), maxAge: LASTS_SECONDS })
}

/** Who has taken the first step in this browser; null for nobody, and after five minutes. */
export function halfSignedIn(c: WebContext): HalfSignedIn | null {
  const cookie = getCookie(c, COOKIE) ?? ''
  const [signature, value] = [cookie.slice(0, 22), cookie.slice(22)]
  if (!isSignature(c.var.deps.config.SECRET_KEY, PURPOSE, value, signature)) return null
  const [until, userId, method, next] = JSON.parse(value) as [number, number, SignInMethod, string | null]
  return c.var.deps.clock.now() < until ? { userId, method, next: safeNext(next ?? undefined) } : null
}

/** Forgets the first step: the second is done. */
export function clearSecondStep(c: WebContext): void {
  setCookie(c, COOKIE, '', { ...cookieOptions(c), maxAge: 0 })
}
