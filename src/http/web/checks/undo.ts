import { undoAct } from '../../../actions/checks/undo-act.js'
import { plural } from '../../../core/text/plural.js'
import { isUuid } from '../../../core/text/uuid.js'
import type { Undone } from '../../../storage/checks/undo-changes.js'
import { listedProjects, projectOf } from '../access.js'
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
  const projectIds = (await listedProjects(c, 'write')).map(({ id }) => id)
  const result = isUuid(uuid) ? await undoAct(store, clock, { uuid, projectIds, userId }) : null
  if (!result) setFlash(c, 'bad', 'Not undone: the time to undo has passed.')
  else if (result.stop !== null)
    setFlash(
      c,
      'bad',
      `Undone for ${plural(result.undone, 'check')}, not for the others: ${result.stop.message}.`,
    )
  else if (result.undone === result.of) setFlash(c, 'good', 'Undone.')
  else setFlash(c, 'bad', partlyUndone(result))
  return back(c, `/projects/${project.uuid}/checks/`)
}

/** How many checks are named that were left. */
const MOST_NAMED = 5

function partlyUndone({ undone, of, changed, names, forbidden, replaced }: Undone): string {
  const others = names.length > MOST_NAMED ? [`${names.length - MOST_NAMED} more`] : []
  const named = names.length > 0 ? ` (${[...names.slice(0, MOST_NAMED), ...others].join(', ')})` : ''
  const first = undone === 0 ? 'Not undone' : `Undone for ${undone} of ${of} checks`
  if (forbidden + replaced === 0) {
    return `${first}: ${undone === 0 ? 'it has' : 'the others have'} been changed or pinged since${named}.`
  }
  const reasons = [
    ...(changed > 0 ? [`${plural(changed, 'check')} changed or pinged since${named}`] : []),
    ...(forbidden > 0 ? [`${plural(forbidden, 'check')} in projects that you may not change any more`] : []),
    ...(replaced > 0 ? [`${plural(replaced, 'check')} that you moved or deleted again since`] : []),
  ]
  return `${first}: ${reasons.join(', ')}.`
}
