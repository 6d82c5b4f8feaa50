import { checkLabel } from '../../../core/alerts/alert.js'
import { Refusal } from '../../../core/errors.js'
import type { WebContext } from '../context.js'
import { requireUser } from '../people/session.js'
import { back } from './back.js'
import { loadCheckForChange } from './load-check-for-change.js'
import { setUndoFlash } from './undoable.js'

/** POST: resumes a paused check, which then waits for a ping. */
export async function resume(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const userId = requireUser(c).user.id
  try {
    const resumed = await store.checks.resume(project.id, check.uuid, now, userId)
    setUndoFlash(c, project, `Resumed ${checkLabel(resumed.check)}.`, resumed.undo)
  } catch (error) {
    const step = { did: 'state' as const, check: check.uuid, pauses: false }
    const undo = await store.checks.findUndo({ projectId: project.id, userId, step, now })
    // The form was sent twice.
    if (!(error instanceof Refusal) || error.code !== 'conflict' || undo === null) throw error
    const { check: known } = await store.checks.facts(project.id, check.uuid, now)
    setUndoFlash(c, project, `Resumed ${checkLabel(known)}.`, undo)
  }
  return back(c, home)
}
