import { offerProject } from '../../../actions/projects/offer-project.js'
import { Refusal } from '../../../core/errors.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { requireUser } from '../people/session.js'
import { siteOf } from '../site.js'
import { settingsPath } from './settings.js'

/** POST: offers a project to a member. */
export async function submitOffer(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'own')
  const { store, clock, mailer, config } = c.var.deps
  const deps = { store, clock, mailer, site: siteOf(config) }
  const { user, sessionId } = requireUser(c)
  const by = { userId: user.id, sessionId }
  await offerProject(deps, project, { memberUuid: (await formOf(c)).text('member'), by })
  setFlash(c, 'good', 'The project is offered. It changes hands when the member accepts.')
  return seeOther(c, `${settingsPath(project)}#transfer`)
}

/** POST: ends the offer: the owner withdraws it, or the member declines it. */
export async function endOffer(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const { store } = c.var.deps
  const reader = requireUser(c).user.uuid
  const members = await store.projects.listMembers(project.id)
  const offered = members.find(({ transferRequestedAt }) => transferRequestedAt !== null)
  if (project.role !== 'owner' && offered?.uuid !== reader) {
    throw new Refusal('forbidden', 'only the project’s owner may do this')
  }
  await store.projects.cancelTransfer(project.id)
  setFlash(c, 'good', 'The project stays with its owner.')
  return seeOther(c, settingsPath(project))
}

/** POST: the member accepts the offer and becomes the owner. */
export async function acceptOffer(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const { store, clock } = c.var.deps
  await store.projects.acceptTransfer(project.id, requireUser(c).user.id, clock.now())
  setFlash(c, 'good', 'The project is yours.')
  return seeOther(c, settingsPath(project))
}
