import { undo } from '../../actions/checks/undo.js'
import { isUuid } from '../../core/text/uuid.js'
import { projectOf } from './access.js'
import { back } from './checks/back.js'
import type { WebContext } from './context.js'
import { setFlash } from './flash.js'
import { requireUser } from './people/session.js'

/** POST: undoes what the user has just done in a project. */
export async function submitUndo(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const uuid = c.req.param('undo')!
  const { store, clock } = c.var.deps
  const asked = { uuid, projectId: project.id, userId: requireUser(c).user.id, now: clock.now() }
  const result = isUuid(uuid) ? await undo(store, asked) : null
  if (!result) setFlash(c, 'bad', 'Nothing was undone: the time to undo it is over.')
  else if (result.undone === result.of) setFlash(c, 'good', 'Undone.')
  else setFlash(c, 'bad', partlyUndone(result))
  return back(c, `/projects/${project.uuid}/checks/`)
}

function partlyUndone({ undone, of }: { undone: number; of: number }): string {
  if (undone === 0) return 'Nothing was undone: it has been changed or pinged since.'
  return `Undone for ${undone} of ${of} checks: the others have been changed or pinged since.`
}
