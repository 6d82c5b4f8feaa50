import { changeMemberRole } from '../../../actions/projects/change-members.js'
import { ROLE_NAMES } from '../../../core/people/role.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { ownSession, requireUser } from '../people/session.js'
import { settingsPath } from './settings.js'

/** POST: changes a member's role. Members cannot change their own. */
export async function submitMemberRole(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'manage')
  const member = c.req.param('member')!
  const by = requireUser(c).user.uuid
  const asked = (await formOf(c)).text('role')
  const role = await changeMemberRole(c.var.deps, {
    projectId: project.id,
    member,
    by,
    author: ownSession(c),
    role: asked,
  })
  setFlash(c, 'good', `The role is now: ${ROLE_NAMES[role].toLowerCase()}.`)
  return seeOther(c, `${settingsPath(project)}#people`)
}
