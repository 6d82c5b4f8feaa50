import { runAtService } from '../../../actions/channels/prepare-channel.js'
import { Refusal } from '../../../core/errors.js'
import { sentence } from '../../../core/text/sentence.js'
import type { Integration } from '../../../integrations/integration.js'
import type { Options } from '../../../integrations/setup.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { DeclaredField } from '../../../views/components/channels/channel-fields.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { FinishChannelPage } from '../../../views/pages/channels/finish.js'
import { operatorOf } from '../../operator.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import { checkCode } from './confirm.js'
import { draftPath, dropDraft, findDraft, type StoredDraft } from './draft.js'
import { defaultValues, knownIntegration } from './form-values.js'
import { alertFor, makeChannels, sentForAll, tellMade } from './make.js'
import { transportsOf } from './operator.js'

interface Unfinished {
  project: ProjectAccess
  integration: Integration
  draft: StoredDraft
  /** The fields that are still open, and the options that the service offers for them. */
  asks: readonly string[]
  options: Options
}

/** GET: asks for the open fields of a channel that is being connected. */
export async function showFinish(c: WebContext): Promise<Response> {
  const found = await unfinished(c)
  if (found instanceof Response) return found
  const values = { ...defaultValues(found.integration), ...found.draft.settings }
  return await c.html(await finishPage(c, found, found.draft, values, null))
}

/** POST: creates the channel. */
export async function submitFinish(c: WebContext): Promise<Response> {
  const found = await unfinished(c)
  if (found instanceof Response) return found
  const { project, integration, draft, asks, options } = found
  const form = await formOf(c)
  const name = draft.code === '' ? form.text('channel_name') : draft.name
  const forAll = draft.code === '' ? sentForAll(form) : draft.forAll
  const typed = Object.fromEntries(asks.map(field => [field, form.text(field)]))
  return await tryForm(
    c,
    async () => {
      await checkCode(c, draft, form.text('code'))
      const chosen = Object.entries(options).map(([field, offered]) => {
        const option = offered.find(({ settings }) => settings[field] === typed[field])
        if (!option) throw new Refusal('invalid', 'Choose one of these.', field)
        return option.settings
      })
      const settings = Object.assign({}, draft.settings, typed, ...chosen)
      const made = await makeChannels(c, project, integration.kind, [{ name, settings }], forAll)
      dropDraft(c, project, integration.kind)
      return await tellMade(c, project, made)
    },
    problem => finishPage(c, found, { name, forAll }, { ...draft.settings, ...typed }, problem),
  )
}

/**
 * The draft that is being connected, or a response with the reason if there is none or the service offers no options.
 */
async function unfinished(c: WebContext): Promise<Unfinished | Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const integration = knownIntegration(c.req.param('kind')!)
  const draft = findDraft(c, project, integration.kind)
  try {
    if (!draft) throw new Refusal('invalid', 'it has expired or was already finished: start again')
    const { setup } = integration
    if (setup?.way !== 'authorise') return { project, integration, draft, asks: [], options: {} }
    const operator = operatorOf(c.var.deps)
    const options = await runAtService(
      integration,
      async () => (await setup.options?.(draft, operator, transportsOf(c))) ?? {},
    )
    return { project, integration, draft, asks: setup.asks ?? [], options }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    setFlash(c, 'bad', `Nothing was added. ${sentence(error.message)}`)
    return seeOther(c, `/projects/${project.uuid}/integrations/add/${integration.kind}/`)
  }
}

async function finishPage(
  c: WebContext,
  { project, integration, draft, asks, options }: Unfinished,
  { name, forAll }: { name: string; forAll: boolean },
  values: Readonly<Record<string, string>>,
  problem: Problem | null,
) {
  const { kind, label, fields } = integration
  return FinishChannelPage({
    page: await pageContext(c, project),
    label,
    action: draftPath(project, kind),
    back: `/projects/${project.uuid}/integrations/add/${kind}/`,
    recipient: draft.code === '' ? null : integration.describe(draft.settings),
    fields: fields
      .filter(field => asks.includes(field.name))
      .map(field => offered(field, options[field.name])),
    values,
    name,
    alertFor: await alertFor(c, project, forAll),
    problem,
  })
}

/** A field as a choice of the options that the service offers. */
function offered(field: DeclaredField, options: Options[string] | undefined): DeclaredField {
  if (!options) return field
  const by = (text: (option: Options[string][number]) => string) =>
    Object.fromEntries(options.map(option => [option.settings[field.name] ?? '', text(option)]))
  return {
    ...field,
    type: 'choice',
    sensitive: false,
    choices: options.map(({ settings }) => settings[field.name] ?? ''),
    choiceLabels: by(({ label }) => label),
    choiceGroups: by(({ group }) => group ?? ''),
  }
}
