import type { Undoable } from '../../../core/checks/undo.js'
import type { WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { requireUser } from '../people/session.js'

/** Says on the next page what was done, with a button that undoes it unless nothing changed. */
export async function setUndoableFlash(
  c: WebContext,
  project: { id: number; uuid: string },
  text: string,
  change: Undoable,
): Promise<void> {
  if ('steps' in change && change.steps.length === 0) return setFlash(c, 'good', text)
  const { store, clock } = c.var.deps
  const userId = requireUser(c).user.id
  const { uuid } = await store.checks.keepUndo({ projectId: project.id, userId, change, now: clock.now() })
  setFlash(c, 'good', text, { project: project.uuid, uuid })
}
