import { acceptProject } from '../../../actions/projects/change-members.js'
import { endOffer as end } from '../../../actions/projects/end-offer.js'
import { offerProject } from '../../../actions/projects/offer-project.js'
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
  setFlash(c, 'good', 'Offer sent. Ownership changes when the member accepts.')
  return seeOther(c, `${settingsPath(project)}#transfer`)
}

/** POST: ends the offer: the owner withdraws it, or the member declines it. */
export async function endOffer(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const reader = requireUser(c).user.uuid
  await end(c.var.deps, { projectId: project.id, role: project.role, reader })
  setFlash(c, 'good', 'Offer withdrawn or declined. The owner stays the same.')
  return seeOther(c, settingsPath(project))
}

/** POST: the member accepts the offer and becomes the owner. */
export async function acceptOffer(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  await acceptProject(c.var.deps, { projectId: project.id, userId: requireUser(c).user.id })
  setFlash(c, 'good', 'You are now the owner of this project.')
  return seeOther(c, settingsPath(project))
}
