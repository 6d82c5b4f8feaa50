/**
 * A sentence for the next page, after an action. It is stored in a cookie that only the page reads. One that offers to undo the
 * action is on every page until the time for that is over.
 */
import { offeredUntil } from '../../core/checks/undo.js'
import type { FlashMessage } from '../../views/page-context.js'
import type { WebContext } from './context.js'
import { dropCookie, putCookie, readCookie } from './cookies.js'

const NAME = 'punctual_flash'
const SECONDS = 60
const MAX_LENGTH = 500
const FORMAT = /^(good|bad)(?:(\d+)\/([0-9a-f-]{36})\/([0-9a-f-]{36}))?:(.{1,500})$/s

/** What undoes the action: the UUID of its project, and of what was kept. */
export interface UndoNames {
  project: string
  uuid: string
}

/** Stores `message` for the next page, and with an `undo` for those after it. */
export function setFlash(c: WebContext, kind: FlashMessage['kind'], text: string, undo?: UndoNames): void {
  const names = undo ? `${offeredUntil(c.var.deps.clock.now())}/${undo.project}/${undo.uuid}` : ''
  const value = `${kind}${names}:${text.slice(0, MAX_LENGTH)}`
  putCookie(c, NAME, value, { maxAge: SECONDS })
}

/** Returns the stored message; null if there is none. Removes it unless the next page has to offer to undo the action. */
export function takeFlash(c: WebContext): FlashMessage | null {
  const value = readCookie(c, NAME)
  if (value === null) return null
  const [, kind, until, project, undo, text] = FORMAT.exec(value) ?? []
  const forMs = Number(until ?? 0) - c.var.deps.clock.now()
  const seconds = c.var.session ? Math.max(0, Math.floor(forMs / 1000)) : 0
  if (seconds > 0) putCookie(c, NAME, value, { maxAge: seconds })
  else dropCookie(c, NAME)
  if (!kind || !text) return null
  // What was done belongs to the person who has signed out since.
  if (project && !c.var.session) return null
  const path = `/projects/${project}/undo/${undo}/`
  return { kind: kind as FlashMessage['kind'], text, undo: seconds > 0 ? { path, forMs } : null }
}
