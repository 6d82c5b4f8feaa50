import { checkLabel } from '../../../core/alerts/alert.js'
import { stateSteps, undoableUntil } from '../../../core/checks/undo.js'
import type { WebContext } from '../context.js'
import { back } from './back.js'
import { loadCheckForChange } from './load-check-for-change.js'
import { setUndoableFlash } from './undoable.js'

/** POST: pauses monitoring of a check until a ping or a resume. */
export async function pause(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const written = await store.checks.pause(project.id, check.uuid, now, undoableUntil(now))
  const text = `Paused ${checkLabel(written.check)}.`
  await setUndoableFlash(c, project, text, { steps: stateSteps(written) })
  return back(c, home)
}
