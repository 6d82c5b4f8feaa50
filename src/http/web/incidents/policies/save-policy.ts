import { readPolicyForm } from '../../../../core/incidents/policy-form.js'
import type { AskedPolicy } from '../../../../storage/incidents/policies.js'
import type { ProjectAccess } from '../../../../storage/people/access.js'
import { seeOther, type WebContext } from '../../context.js'
import { setFlash } from '../../flash.js'
import { formOf } from '../../form.js'
import { tryForm } from '../../try-form.js'
import { policyFormPage, redrawn, sentForm } from './form-page.js'

interface Saving {
  save: (asked: AskedPolicy) => Promise<unknown>
  /** The message afterwards. */
  saved: string
}

/** Saves the form that was sent, or shows it again: with what is wrong, or after a button that only changes what is shown. */
export async function savePolicy(
  c: WebContext,
  project: ProjectAccess,
  policy: { id: number; name: string } | null,
  { save, saved }: Saving,
): Promise<Response> {
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
      await save(read.asked)
      setFlash(c, 'good', saved)
      return seeOther(c, `/projects/${project.uuid}/policies/`)
    },
    problem => policyFormPage(c, project, policy, { form, problem }),
  )
}
