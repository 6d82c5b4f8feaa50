/** A sentence for the next page, after an action. It is stored in a cookie that only the page reads. */
import type { FlashMessage } from '../../views/page-context.js'
import type { WebContext } from './context.js'
import { dropCookie, putCookie, readCookie } from './cookies.js'

const NAME = 'punctual_flash'
const SECONDS = 60
const MAX_LENGTH = 500

/** Stores `message` for the next page. */
export function setFlash(c: WebContext, kind: FlashMessage['kind'], text: string): void {
  const value = `${kind}:${text.slice(0, MAX_LENGTH)}`
  putCookie(c, NAME, value, { maxAge: SECONDS })
}

/** Returns and removes the stored message; null if there is none. */
export function takeFlash(c: WebContext): FlashMessage | null {
  const value = readCookie(c, NAME)
  if (value === null) return null
  dropCookie(c, NAME)
  const [, kind, text] = /^(good|bad):(.{1,500})$/s.exec(value) ?? []
  return kind && text ? { kind: kind as FlashMessage['kind'], text } : null
}
