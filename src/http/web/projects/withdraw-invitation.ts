import { Refusal } from '../../../core/errors.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { settingsPath } from './settings.js'

/** POST: withdraws an invitation, whose link becomes invalid. */
export async function withdrawInvitation(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'manage')
  const { store, clock } = c.var.deps
  const removed = await store.projects.removeInvitation(project.id, c.req.param('invitation')!, clock.now())
  if (!removed) throw new Refusal('not-found', 'there is no such invitation')
  setFlash(c, 'good', 'Invitation withdrawn.')
  return seeOther(c, `${settingsPath(project)}#people`)
}
