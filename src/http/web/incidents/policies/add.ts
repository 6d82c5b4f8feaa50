import { NEW_POLICY_FORM, readPolicyForm } from '../../../../core/incidents/policy-form.js'
import { projectOf } from '../../access.js'
import { seeOther, type WebContext } from '../../context.js'
import { setFlash } from '../../flash.js'
import { formOf } from '../../form.js'
import { tryForm } from '../../try-form.js'
import { policyFormPage, redrawn, sentForm } from './form-page.js'

/** GET: the form for a new policy. */
export async function showAddPolicy(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  return await c.html(await policyFormPage(c, project, null, { form: NEW_POLICY_FORM }))
}

/** POST: creates a policy. */
export async function addPolicy(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const { store, clock } = c.var.deps
  const sent = await formOf(c)
  const form = sentForm(sent)
  const shown = redrawn(sent, form)
  if (shown !== null) return await c.html(await policyFormPage(c, project, null, shown))
  const read = readPolicyForm(form)
  if ('errors' in read) {
    return await c.html(await policyFormPage(c, project, null, { form, errors: read.errors }), 400)
  }
  return await tryForm(
    c,
    async () => {
      await store.incidents.createPolicy(project.id, { ...read.asked, now: clock.now() })
      setFlash(c, 'good', 'Created the policy.')
      return seeOther(c, `/projects/${project.uuid}/policies/`)
    },
    problem => policyFormPage(c, project, null, { form, problem }),
  )
}
