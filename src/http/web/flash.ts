/** A sentence for the next page, after an action. It lies in a cookie, which nothing but the page reads. */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { FlashMessage } from '../../views/page-context.js'

const NAME = 'flash'
const SECONDS = 60
const MAX_LENGTH = 500

/** Leaves `message` for the next page that is shown. */
export function setFlash(c: Context, kind: FlashMessage['kind'], text: string): void {
  const value = `${kind}:${text.slice(0, MAX_LENGTH)}`
  setCookie(c, NAME, value, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: SECONDS })
}

/** The message that was left, once; null where there is none. */
export function takeFlash(c: Context): FlashMessage | null {
  const value = getCookie(c, NAME)
  if (value === undefined) return null
  deleteCookie(c, NAME, { path: '/' })
  const [, kind, text] = /^(good|bad):(.{1,500})$/s.exec(value) ?? []
  return kind && text ? { kind: kind as FlashMessage['kind'], text } : null
}
