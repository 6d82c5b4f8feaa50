import { leaveProject as leave, removeMember } from '../../../actions/projects/change-members.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { safeNext } from '../next.js'
import { ownSession, requireUser } from '../people/session.js'
import { settingsPath } from './settings.js'

/** POST: removes a member from a project. */
export async function submitRemovedMember(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'manage')
  const member = c.req.param('member')!
  const by = requireUser(c).user.uuid
  await removeMember(c.var.deps, { projectId: project.id, member, by, author: ownSession(c) })
  setFlash(c, 'good', 'Member removed.')
  return seeOther(c, `${settingsPath(project)}#people`)
}

/** POST: leaves a project, which its owner cannot do, and goes on to `next`. */
export async function leaveProject(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const member = requireUser(c).user.uuid
  const author = ownSession(c)
  const form = await formOf(c)
  await leave(c.var.deps, { projectId: project.id, role: project.role, member, author })
  setFlash(c, 'good', `You have left ${project.name || 'the project'}.`)
  return seeOther(c, safeNext(form.text('next')) ?? '/')
}
