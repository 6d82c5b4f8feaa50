import {
  type PolicyErrors,
  type PolicyForm,
  readPolicyRules,
  sentPolicyForm,
  withoutStep,
  withStep,
} from '../../../../core/incidents/policy-form.js'
import type { ProjectAccess } from '../../../../storage/people/access.js'
import type { Problem } from '../../../../views/components/forms/form-problem.js'
import { PolicyFormPage } from '../../../../views/pages/incidents/policy-form.js'
import type { WebContext } from '../../context.js'
import { cut, type Form } from '../../form.js'
import { pageContext } from '../../page-context.js'
import { channelChoices, policyNames } from './names.js'

/** A form to show: what is wrong with it, and the field with the initial focus if that is not the first wrong one. */
export interface ShownForm {
  form: PolicyForm
  errors?: PolicyErrors
  problem?: Problem
  focus?: string
}

/** The page of the form, as HTML. */
export async function policyFormPage(
  c: WebContext,
  project: ProjectAccess,
  policy: { id: number; name: string } | null,
  { form, errors = {}, problem, focus }: ShownForm,
) {
  const { store } = c.var.deps
  const [page, channels, managedBy] = await Promise.all([
    pageContext(c, project),
    store.channels.list(project.id),
    policy && store.projects.configOwner(project.id, 'policies', String(policy.id)),
  ])
  const wrong = problem?.field ? { [problem.field]: problem.message } : errors
  return PolicyFormPage({
    page,
    projectUuid: project.uuid,
    policy,
    managedBy,
    form,
    errors: wrong,
    problem: problem && !problem.field ? problem.message : null,
    focus: focus ?? Object.keys(wrong)[0] ?? 'name',
    rules: readPolicyRules(form),
    channels: channelChoices(channels),
    names: policyNames(channels),
  })
}

/** No right value of a field is longer. */
export const LONGEST = 200

/** The form that a visitor sent. */
export function sentForm(sent: Form): PolicyForm {
  return sentPolicyForm(cut(sent.all, LONGEST))
}

/** The form after a button that only changes what is shown: a step is added or removed, or a preview is asked for. */
export function redrawn(sent: Form, form: PolicyForm): ShownForm | null {
  if (sent.has('add')) return { form: withStep(form), focus: `after-${form.steps.length}` }
  if (sent.has('remove')) {
    const index = Number(sent.text('remove'))
    return { form: withoutStep(form, index), focus: `after-${Math.max(0, index - 1)}` }
  }
  return sent.has('preview') ? { form } : null
}
