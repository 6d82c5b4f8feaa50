import { DEFAULT_SETTINGS, type Settings } from '../../../core/checks/check-fields.js'
import { type CheckForm, type FormErrors, readTiming } from '../../../core/checks/check-form.js'
import { Refusal } from '../../../core/errors.js'
import { zoneNames } from '../../../core/schedule/index.js'
import { sentence } from '../../../core/text/sentence.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { CheckFormPage } from '../../../views/pages/checks/check-form.js'
import type { WebContext } from '../context.js'
import type { Form } from '../form.js'
import { pageContext } from '../page-context.js'
import { silencesOfCheck } from '../silences/of-check.js'
import { shownChannels } from './shown-channels.js'

/** A check with the schedule and the rules for runs in a form, or their errors, for the preview. */
export function shownTiming(form: CheckForm): Settings | { errors: FormErrors } {
  const errors: FormErrors = {}
  const timing = readTiming(form, errors)
  if (Object.keys(errors).length > 0) return { errors }
  return { ...DEFAULT_SETTINGS, kind: form.kind, ...timing }
}

/** The UUIDs of the checks on which the form makes a check depend; undefined if it does not ask for that. */
export function sentParents(sent: Form): readonly string[] | undefined {
  return sent.has('choose_parents') ? sent.all('depends_on') : undefined
}

/** What is wrong with the dependencies in a form, if that is what `error` is about. */
export function parentsErrorOf(error: unknown): string | null {
  if (!(error instanceof Refusal) || error.field !== 'depends_on') return null
  const problem = error.message.replace(/^depends_on: /, '')
  return problem.includes(' > ') ? `This would be a circle: ${problem}.` : sentence(problem)
}

/** The page of the form. `sent`: the values that were submitted, if any. */
export async function formPage(
  c: WebContext,
  project: ProjectAccess,
  check: { uuid: string; label: string; tags: string } | null,
  form: CheckForm,
  errors: FormErrors,
  sent: Form | null,
  parentsError: string | null = null,
): Promise<Response> {
  const timing = shownTiming(form)
  // A preview also marks errors in the schedule.
  const wrong = sent?.has('preview') && 'errors' in timing ? timing.errors : errors
  const channels = check ? [] : await c.var.deps.store.channels.list(project.id)
  const parents = await c.var.deps.store.incidents.parentChoices(project.id, check?.uuid ?? null)
  const asked = sent === null ? undefined : sentParents(sent)
  const isOn = (uuid: string) => !sent || sent.all('channel').includes(uuid)
  const view = CheckFormPage({
    page: await pageContext(c, project),
    check,
    project,
    form,
    errors: wrong,
    timing,
    zones: zoneNames(),
    silences: check ? await silencesOfCheck(c, project.id, check) : [],
    parents: parents.map(one => ({ ...one, on: asked?.includes(one.uuid) ?? one.on })),
    parentsError,
    channels: shownChannels(channels).map(channel => ({ ...channel, on: isOn(channel.uuid) })),
  })
  return await c.html(view, Object.keys(wrong).length > 0 || parentsError ? 400 : 200)
}
