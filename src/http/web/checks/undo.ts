import { type Undone, undo } from '../../../actions/checks/undo.js'
import { may } from '../../../core/people/role.js'
import { isUuid } from '../../../core/text/uuid.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { requireUser } from '../people/session.js'
import { back } from './back.js'

/** POST: undoes what the user has just done in a project, or in several by one action. */
export async function submitUndo(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const uuid = c.req.param('undo')!
  const { store, clock } = c.var.deps
  const userId = requireUser(c).user.id
  const projects = await store.people.listProjects(userId)
  const projectIds = projects.filter(({ role }) => may(role, 'write')).map(({ id }) => id)
  const asked = { uuid, projectIds, userId, now: clock.now() }
  const result = isUuid(uuid) ? await undo(store, asked) : null
  if (!result) setFlash(c, 'bad', 'Not undone: the time to undo has passed.')
  else if (result.undone === result.of) setFlash(c, 'good', 'Undone.')
  else setFlash(c, 'bad', partlyUndone(result))
  return back(c, `/projects/${project.uuid}/checks/`)
}

/** How many checks are named that were left. */
const MOST_NAMED = 5

function partlyUndone({ undone, of, left }: Undone): string {
  const others = left.length > MOST_NAMED ? [`${left.length - MOST_NAMED} more`] : []
  const names = left.length > 0 ? ` (${[...left.slice(0, MOST_NAMED), ...others].join(', ')})` : ''
  if (undone === 0) return `Not undone: it has been changed or pinged since${names}.`
  return `Undone for ${undone} of ${of} checks: the others have been changed or pinged since${names}.`
}
