import { formOfPolicy } from '../../../../core/incidents/policy-form.js'
import type { WebContext } from '../../context.js'
import { policyFormPage } from './form-page.js'
import { loadPolicy } from './load-policy.js'
import { savePolicy } from './save-policy.js'

/** GET: the form of a policy. */
export async function showEditPolicy(c: WebContext): Promise<Response> {
  const { project, policy } = await loadPolicy(c)
  return await c.html(await policyFormPage(c, project, policy, { form: formOfPolicy(policy) }))
}

/** POST: changes a policy. */
export async function editPolicy(c: WebContext): Promise<Response> {
  const { project, policy } = await loadPolicy(c)
  const { store, clock } = c.var.deps
  return await savePolicy(c, project, policy, {
    save: asked => store.incidents.updatePolicy(project.id, policy.id, { ...asked, now: clock.now() }),
    saved: 'Saved the policy.',
  })
}
