import { checkLabel } from '../../../core/alerts/alert.js'
import { stateSteps } from '../../../core/checks/undo.js'
import type { WebContext } from '../context.js'
import { back } from './back.js'
import { loadCheckForChange } from './load-check-for-change.js'
import { setUndoableFlash } from './undoable.js'

/** POST: resumes a paused check, which then waits for a ping. */
export async function resume(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const written = await store.checks.resume(project.id, check.uuid, now)
  const text = `Resumed ${checkLabel(written.check)}.`
  await setUndoableFlash(c, project, text, { steps: stateSteps(written) })
  return back(c, home)
}
