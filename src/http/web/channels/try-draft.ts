/** What the buttons of a channel's form do besides saving: fill in a preset, show the request, send a test. Nothing is stored. */
import { composeTestAlert } from '../../../actions/channels/compose-test-alert.js'
import { resolveDestination } from '../../../actions/channels/resolve-destination.js'
import { type ChannelDraft, testDraft } from '../../../actions/channels/test-draft.js'
import { limitAttempts } from '../../../actions/people/sign-in/limit-attempts.js'
import type { ChannelSettings } from '../../../integrations/field.js'
import { checkSettings } from '../../../integrations/fields.js'
import { needToChange } from '../../../integrations/index.js'
import type { Integration } from '../../../integrations/integration.js'
import { digestOf } from '../../../lib/secrets/secrets.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { FormAnswer } from '../../../views/pages/channels/form-answer.js'
import { allow } from '../access.js'
import type { WebContext } from '../context.js'
import type { Form } from '../form.js'
import { requireUser } from '../people/session.js'
import { prepared } from './operator.js'
import { testWords } from './test.js'
import { askerOf } from './verify.js'

/** Whether the form is not to be saved. */
export function isTry(form: Form): boolean {
  return ['preset', 'preview', 'test'].some(name => form.has(name))
}

/** The values of the preset whose button was pressed, and what is left to do; null if none was. */
export function presetOf(
  { presets = [] }: Integration,
  form: Form,
): { values: Readonly<Record<string, string>>; answer: FormAnswer } | null {
  const preset = presets.find(({ name }) => name === form.text('preset'))
  return preset ? { values: preset.values, answer: { isGood: true, text: preset.next } } : null
}

/** Shows what would be sent, or sends a test. Throws a `Refusal` as `testDraft` does, and above the limits of tests. */
export async function tryDraft(
  c: WebContext,
  project: ProjectAccess,
  integration: Integration,
  form: Form,
  draft: Pick<ChannelDraft, 'name' | 'settings' | 'stored'>,
): Promise<FormAnswer> {
  const { kind } = integration
  allow(project, needToChange(kind))
  if (form.has('preview')) return await previewOf(c, integration, draft)
  const { store, clock, delivery } = c.var.deps
  const { uuid: user } = requireUser(c).user
  await limitAttempts(store, clock, { test: `draft:${project.uuid}:${kind}:${user}`, tests: user })
  const settings = await prepared(c, integration, draft.settings)
  const asker = askerOf(c)
  const result = await testDraft(delivery, { ...draft, settings, kind, projectId: project.id, asker })
  const { isGood, text } = testWords([result])
  const said = `${text}${text.endsWith('.') ? '' : '.'} Nothing was saved.`
  return isGood ? { isGood, text: said, tested: nameOf(draft.settings) } : { isGood, text: said }
}

/** Whether a test of just these settings was delivered from the form. */
export function wasTested(form: Form, settings: ChannelSettings): boolean {
  return form.text('tested') === nameOf(settings)
}

/** The same for the same settings, and says nothing about them. */
function nameOf(settings: ChannelSettings): string {
  return digestOf(JSON.stringify(Object.entries(settings).sort()))
}

/** The requests that a check named TEST would cause, with secrets masked. */
async function previewOf(
  c: WebContext,
  integration: Integration,
  { name, settings: typed }: { name: string; settings: ChannelSettings },
): Promise<FormAnswer> {
  const { delivery } = c.var.deps
  const settings = checkSettings(integration, typed)
  const names = { idempotencyKey: 'the same for every attempt', notificationUuid: '' }
  const to = await resolveDestination(delivery, { uuid: '', name, settings }, names, integration)
  const statuses = (['down', 'up'] as const).filter(status => integration.wants?.(settings, status) ?? true)
  const requests = statuses.map(status => ({
    label: status === 'down' ? 'When a check goes down' : 'When it comes back up',
    text: integration.preview?.(composeTestAlert(delivery, status), to) ?? '',
  }))
  return { isGood: true, text: 'This is what would be sent about a check named TEST.', requests }
}
