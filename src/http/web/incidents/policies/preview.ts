import { readPolicyRules, sentPolicyForm } from '../../../../core/incidents/policy-form.js'
import { PolicyPreview } from '../../../../views/components/incidents/policy-preview.js'
import { projectOf } from '../../access.js'
import type { WebContext } from '../../context.js'
import { cut } from '../../form.js'
import { LONGEST } from './form-page.js'
import { policyNames } from './names.js'

/** GET: who is alerted when by the steps in the query, as a part of a page. Writes nothing. */
export async function previewPolicy(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const form = sentPolicyForm(cut(name => c.req.queries(name) ?? [], LONGEST))
  const names = policyNames(await c.var.deps.store.channels.list(project.id))
  return await c.html(PolicyPreview({ rules: readPolicyRules(form), names }))
}
