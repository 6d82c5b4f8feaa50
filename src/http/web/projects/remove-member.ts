import { Refusal } from '../../../core/errors.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { requireUser } from '../people/session.js'
import { settingsPath } from './settings.js'

/** POST: removes a member from a project. */
export async function submitRemovedMember(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'manage')
  const member = c.req.param('member')!
  if (member === requireUser(c).user.uuid) throw new Refusal('invalid', 'to go yourself, leave the project')
  await c.var.deps.store.projects.removeMember(project.id, member)
  c.var.deps.changes.emit('access', {})
  setFlash(c, 'good', 'The member is removed.')
  return seeOther(c, `${settingsPath(project)}#people`)
}

/** POST: leaves a project, which its owner cannot do. */
export async function leaveProject(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  if (project.role === 'owner') {
    throw new Refusal('conflict', 'the owner cannot leave: transfer the project first, or delete it')
  }
  await c.var.deps.store.projects.removeMember(project.id, requireUser(c).user.uuid)
  c.var.deps.changes.emit('access', {})
  setFlash(c, 'good', `You have left ${project.name || 'the project'}.`)
  return seeOther(c, '/')
}
