import { formOfPolicy, readPolicyForm } from '../../../../core/incidents/policy-form.js'
import { seeOther, type WebContext } from '../../context.js'
import { setFlash } from '../../flash.js'
import { formOf } from '../../form.js'
import { tryForm } from '../../try-form.js'
import { policyFormPage, redrawn, sentForm } from './form-page.js'
import { loadPolicy } from './load-policy.js'

/** GET: the form of a policy. */
export async function showEditPolicy(c: WebContext): Promise<Response> {
  const { project, policy } = await loadPolicy(c)
  return await c.html(await policyFormPage(c, project, policy, { form: formOfPolicy(policy) }))
}

/** POST: changes a policy. */
export async function editPolicy(c: WebContext): Promise<Response> {
  const { project, policy, home } = await loadPolicy(c)
  const { store, clock } = c.var.deps
  const sent = await formOf(c)
  const form = sentForm(sent)
  const shown = redrawn(sent, form)
  if (shown !== null) return await c.html(await policyFormPage(c, project, policy, shown))
  const read = readPolicyForm(form)
  if ('errors' in read) {
    return await c.html(await policyFormPage(c, project, policy, { form, errors: read.errors }), 400)
  }
  return await tryForm(
    c,
    async () => {
      await store.incidents.updatePolicy(project.id, policy.id, { ...read.asked, now: clock.now() })
      setFlash(c, 'good', 'Saved the policy.')
      return seeOther(c, home)
    },
    problem => policyFormPage(c, project, policy, { form, problem }),
  )
}
