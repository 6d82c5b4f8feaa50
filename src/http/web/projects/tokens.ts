import { revokeApiToken } from '../../../actions/projects/revoke-api-token.js'
import { Refusal } from '../../../core/errors.js'
import { may } from '../../../core/people/role.js'
import { scopesOf } from '../../../core/people/scopes.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { AddTokenPage, type TypedToken } from '../../../views/pages/people/add-token.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { pageContext } from '../page-context.js'
import { ownSession } from '../people/session.js'
import { makeToken, NEW_TOKEN, typedToken } from '../people/token-form.js'
import { tryForm } from '../try-form.js'
import { settingsPath } from './settings.js'

/** GET: the form for a new API token of a project. */
export async function showAddProjectToken(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  return await c.html(await formPage(c, project, NEW_TOKEN, null))
}

/** POST: makes the token, which is shown once on the settings page. */
export async function submitProjectToken(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const typed = await typedToken(c, scopesOf(project.role))
  return await tryForm(
    c,
    async () => {
      const role = may(project.role, 'manage') ? 'manager' : 'member'
      await makeToken(c, { projectId: project.id, role }, typed, settingsPath(project))
      return seeOther(c, `${settingsPath(project)}#tokens`)
    },
    problem => formPage(c, project, typed, problem),
  )
}

/** POST: revokes an API token of a project. */
export async function revokeProjectToken(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const uuid = c.req.param('apiToken')!
  const { deps } = c.var
  const token = { owner: { projectId: project.id }, uuid, by: ownSession(c), now: deps.clock.now() }
  if (!(await revokeApiToken(deps, token))) throw new Refusal('not-found', 'there is no such token')
  setFlash(c, 'good', 'Token revoked.')
  return seeOther(c, `${settingsPath(project)}#tokens`)
}

async function formPage(c: WebContext, project: ProjectAccess, typed: TypedToken, problem: Problem | null) {
  return AddTokenPage({
    page: await pageContext(c, project),
    section: 'settings',
    lead: 'It acts in this project alone, and stays if you leave.',
    action: `/projects/${project.uuid}/tokens/add/`,
    cancel: settingsPath(project),
    offered: scopesOf(project.role),
    typed,
    problem,
  })
}
