import { checkLabel } from '../../../core/alerts/alert.js'
import { undoableUntil } from '../../../core/checks/undo.js'
import type { WebContext } from '../context.js'
import { requireUser } from '../people/session.js'
import { back } from './back.js'
import { loadCheckForChange } from './load-check-for-change.js'
import { setUndoFlash } from './undoable.js'

/** POST: pauses monitoring of a check until a ping or a resume. */
export async function pause(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const by = requireUser(c).user.id
  const paused = await store.checks.pause(project.id, check.uuid, now, undoableUntil(now), by)
  setUndoFlash(c, project, `Paused ${checkLabel(paused.check)}.`, paused.undo)
  return back(c, home)
}
