import { NEW_POLICY_FORM } from '../../../../core/incidents/policy-form.js'
import { projectOf } from '../../access.js'
import type { WebContext } from '../../context.js'
import { policyFormPage } from './form-page.js'
import { savePolicy } from './save-policy.js'

/** GET: the form for a new policy. */
export async function showAddPolicy(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  return await c.html(await policyFormPage(c, project, null, { form: NEW_POLICY_FORM }))
}

/** POST: creates a policy. */
export async function addPolicy(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const { store, clock } = c.var.deps
  return await savePolicy(c, project, null, {
    save: asked => store.incidents.createPolicy(project.id, { ...asked, now: clock.now() }),
    saved: 'Created the policy.',
  })
}
