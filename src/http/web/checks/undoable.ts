import type { Undoable } from '../../../core/checks/undo.js'
import type { WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { requireUser } from '../people/session.js'

/** Says on the next page what was done at `now`, with a button that undoes it unless nothing changed. */
export async function setUndoableFlash(
  c: WebContext,
  project: { id: number; uuid: string },
  text: string,
  change: Undoable,
  now: number,
): Promise<void> {
  if ('steps' in change && change.steps.length === 0) return setFlash(c, 'good', text)
  const { store } = c.var.deps
  const userId = requireUser(c).user.id
  const { uuid } = await store.checks.keepUndo({ projectId: project.id, userId, change, now })
  setUndoFlash(c, project, text, uuid)
}

/** Says on the next page what was done, with a button that undoes it by this name; null: without. */
export function setUndoFlash(
  c: WebContext,
  project: { uuid: string },
  text: string,
  uuid: string | null,
): void {
  setFlash(c, 'good', text, uuid === null ? undefined : { project: project.uuid, uuid })
}
