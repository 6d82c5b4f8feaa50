import { DEFAULT_SETTINGS, type Settings } from '../../../core/checks/check-fields.js'
import { type CheckForm, type FormErrors, readTiming, sentForm } from '../../../core/checks/check-form.js'
import { suggestedTags } from '../../../core/checks/suggested-tags.js'
import { Refusal } from '../../../core/errors.js'
import { zoneNames } from '../../../core/schedule/index.js'
import { readPreset } from '../../../core/schedule/schedule-presets.js'
import { sentence } from '../../../core/text/sentence.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { CheckFormPage, type LinkErrors } from '../../../views/pages/checks/check-form.js'
import type { WebContext } from '../context.js'
import type { Form } from '../form.js'
import { pageContext } from '../page-context.js'
import { silencesOfCheck } from '../silences/of-check.js'
import { signedChannels } from './shown-channels.js'

/** Whether the form asks for a preview instead of being saved. */
export function isPreview(sent: Form): boolean {
  return sent.has('preview') || sent.has('preset')
}

/** The form that was sent, with the preset whose button was pressed. */
export function sentCheckForm(sent: Form): CheckForm {
  const form = sentForm(sent.all)
  const preset = readPreset(sent.text('preset'))
  return preset ? { ...form, [preset.field]: preset.text } : form
}

/**
 * The channels that the form chooses, for the store; undefined if they stay. `project`: the UUIDs of its channels. `before`: those of
 * the check. Channels that the form did not offer, because they were added since, stay as they are.
 */
function sentChannels(sent: Form, project: readonly string[], before: readonly string[]): string | undefined {
  if (!sent.has('choose_channels')) return undefined
  const [offered, chosen] = [new Set(sent.all('offered_channel')), new Set(sent.all('channel'))]
  const after = project.filter(uuid => (offered.has(uuid) ? chosen.has(uuid) : before.includes(uuid)))
  const isSame = after.length === before.length && after.every(uuid => before.includes(uuid))
  return isSame ? undefined : after.join(',')
}

/** A check with the schedule and the rules for runs in a form, or their errors, for the preview. */
export function shownTiming(form: CheckForm): Settings | { errors: FormErrors } {
  const errors: FormErrors = {}
  const timing = readTiming(form, errors)
  if (Object.keys(errors).length > 0) return { errors }
  return { ...DEFAULT_SETTINGS, kind: form.kind, ...timing }
}

/** The UUIDs of the checks on which the form makes a check depend; undefined if it does not ask for that. */
function sentParents(sent: Form): readonly string[] | undefined {
  return sent.has('choose_parents') ? sent.all('depends_on') : undefined
}

/** The ID of the policy that the form chooses, null for none; undefined if it does not ask for that. */
function sentPolicy(sent: Form): number | null | undefined {
  if (!sent.has('policy')) return undefined
  const text = sent.text('policy')
  if (text === '') return null
  // No policy has the ID 0.
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

/** What the form links to a check: channels as {@link sentChannels}, checks on which it depends, and a policy; undefined: as before. */
export function sentLinks(
  sent: Form,
  project: readonly { uuid: string }[],
  before: readonly string[] | null,
) {
  const uuids = project.map(({ uuid }) => uuid)
  return {
    channels: sentChannels(sent, uuids, before ?? uuids),
    parents: sentParents(sent),
    policy: sentPolicy(sent),
  }
}

/** What is wrong with the dependencies or the policy in a form, if that is what `error` is about. */
export function linkErrorsOf(error: unknown): LinkErrors | null {
  if (!(error instanceof Refusal)) return null
  if (error.field === 'policy') return { policy: sentence(error.message) }
  if (error.field !== 'depends_on') return null
  const problem = error.message.replace(/^depends_on: /, '')
  return { parents: problem.includes(' > ') ? `This would create a cycle: ${problem}.` : sentence(problem) }
}

/** The page of the form. `sent`: the values that were submitted, if any. */
export async function formPage(
  c: WebContext,
  project: ProjectAccess,
  check: { uuid: string; label: string; tags: string } | null,
  form: CheckForm,
  errors: FormErrors,
  sent: Form | null,
  linkErrors: LinkErrors = {},
): Promise<Response> {
  const timing = shownTiming(form)
  // A preview also marks errors in the schedule.
  const wrong = sent && isPreview(sent) && 'errors' in timing ? timing.errors : errors
  const { store, clock } = c.var.deps
  const [channels, tags, parents, policies, named, managedBy] = await Promise.all([
    store.channels.list(project.id),
    store.checks.usedTags([project.id]),
    store.incidents.parentChoices(project.id, check?.uuid ?? null),
    store.incidents.policies(project.id),
    check ? store.incidents.policyOf(check.uuid) : null,
    check ? store.projects.configOwner(project.id, 'checks', check.uuid) : null,
  ])
  const chosen = check ? (await store.checks.withChannels(project.id, check, clock.now())).channels : null
  const asked = sent === null ? {} : { parents: sentParents(sent), policy: sentPolicy(sent) }
  // A new check has all channels unless the form says otherwise; a channel that was added since is not in the form.
  const isOn = (uuid: string) =>
    sent?.all('offered_channel').includes(uuid)
      ? sent.all('channel').includes(uuid)
      : (chosen?.includes(uuid) ?? true)
  const view = CheckFormPage({
    page: await pageContext(c, project),
    check,
    project,
    form,
    errors: wrong,
    timing,
    zones: zoneNames(),
    tags: suggestedTags(tags),
    silences: check ? await silencesOfCheck(c, project.id, check) : [],
    parents: parents.map(one => ({ ...one, on: asked.parents?.includes(one.uuid) ?? one.on })),
    linkErrors,
    managedBy,
    previewed: sent !== null && isPreview(sent),
    policies,
    policy: asked.policy === undefined ? named : asked.policy,
    channels: signedChannels(channels).map(channel => ({ ...channel, on: isOn(channel.uuid) })),
  })
  return await c.html(view, Object.keys({ ...wrong, ...linkErrors }).length > 0 ? 400 : 200)
}
