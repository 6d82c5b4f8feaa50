import { PoliciesPage } from '../../../../views/pages/incidents/policies.js'
import { projectOf } from '../../access.js'
import type { WebContext } from '../../context.js'
import { pageContext } from '../../page-context.js'
import { usesOf } from './load-policy.js'
import { policyNames } from './names.js'

/** GET: the policies of a project. */
export async function listPolicies(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const { incidents, channels } = c.var.deps.store
  const [page, policies, unnamed, all] = await Promise.all([
    pageContext(c, project),
    incidents.policies(project.id),
    incidents.checksWithoutPolicy(project.id),
    channels.list(project.id),
  ])
  return await c.html(
    PoliciesPage({
      page,
      projectUuid: project.uuid,
      policies: policies.map(policy => ({ ...policy, uses: usesOf(policy, unnamed) })),
      names: policyNames(all),
    }),
  )
}
