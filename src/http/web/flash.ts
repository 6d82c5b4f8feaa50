/** A sentence for the next page, after an action. It is stored in a cookie that only the page reads. */
import type { FlashMessage } from '../../views/page-context.js'
import type { WebContext } from './context.js'
import { dropCookie, putCookie, readCookie } from './cookies.js'

const NAME = 'punctual_flash'
const SECONDS = 60
const MAX_LENGTH = 500
const FORMAT = /^(good|bad)(?:([0-9a-f-]{36})\/([0-9a-f-]{36}))?:(.{1,500})$/s

/** What undoes the action: the UUID of its project, and of what was kept. */
export interface UndoNames {
  project: string
  uuid: string
}

/** Stores `message` for the next page. */
export function setFlash(c: WebContext, kind: FlashMessage['kind'], text: string, undo?: UndoNames): void {
  const names = undo ? `${undo.project}/${undo.uuid}` : ''
  const value = `${kind}${names}:${text.slice(0, MAX_LENGTH)}`
  putCookie(c, NAME, value, { maxAge: SECONDS })
}

/** Returns and removes the stored message; null if there is none. */
export function takeFlash(c: WebContext): FlashMessage | null {
  const value = readCookie(c, NAME)
  if (value === null) return null
  dropCookie(c, NAME)
  const [, kind, project, undo, text] = FORMAT.exec(value) ?? []
  if (!kind || !text) return null
  const path = project ? `/projects/${project}/undo/${undo}/` : null
  return { kind: kind as FlashMessage['kind'], text, undo: path }
}
