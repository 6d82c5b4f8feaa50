import { changeChannel } from '../../../actions/channels/change-channel.js'
import type { Integration } from '../../../integrations/integration.js'
import { hasMembers, joinMembers } from '../../../integrations/members.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { ChannelForm } from '../../../views/pages/channels/form.js'
import type { FormAnswer } from '../../../views/pages/channels/form-answer.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { ownSession } from '../people/session.js'
import { tryForm } from '../try-form.js'
import {
  areSame,
  askedByHand,
  keptSecrets,
  knownIntegration,
  memberChoices,
  readValues,
  secretsLeftEmpty,
  titleOf,
  withoutSecrets,
} from './form-values.js'
import { type LoadedChannel, loadChannelForChange } from './load-channel.js'
import { prepared } from './operator.js'
import { isTry, presetOf, tryDraft } from './try-draft.js'
import { askerOf, askOwner } from './verify.js'

interface Shown {
  name: string
  values: Readonly<Record<string, string>>
  /** Whether the fields of all tabs have the same values. */
  same: boolean
  problem: Problem | null
  answer: FormAnswer | null
}

/** GET: the form with the stored values, except secrets. */
export async function showEditChannel(c: WebContext): Promise<Response> {
  const found = await loadChannelForChange(c)
  const { channel } = found
  const integration = editable(channel.kind)
  const stored = joinMembers(integration, channel.settings, channel.members)
  const values = withoutSecrets(integration, stored)
  const same = areSame(integration, stored)
  return await c.html(
    await formPage(c, found, { name: channel.name, values, same, problem: null, answer: null }),
  )
}

/** POST: changes the channel; secrets that were left empty are kept. */
export async function submitEditChannel(c: WebContext): Promise<Response> {
  const found = await loadChannelForChange(c)
  const { channel } = found
  const integration = editable(channel.kind)
  const form = await formOf(c)
  const name = form.text('channel_name')
  const values = readValues(integration, form)
  const shown: Shown = { name, values, same: form.has('same'), problem: null, answer: null }
  return await tryForm(
    c,
    async () => {
      const preset = presetOf(integration, form)
      if (preset) {
        const filled = { ...values, ...preset.values }
        const same = areSame(integration, filled)
        return await c.html(
          await formPage(c, found, { ...shown, values: filled, same, answer: preset.answer }),
        )
      }
      const typed = { ...channel.settings, ...readValues(integration, form, channel.settings) }
      const kept = secretsLeftEmpty(integration, form)
      if (isTry(form)) {
        const stored = { settings: channel.settings, confirmed: channel.confirmed, kept }
        const kind = knownIntegration(channel.kind)
        const answer = await tryDraft(c, found.project, kind, form, { name, settings: typed, stored })
        return await c.html(await formPage(c, found, { ...shown, answer }))
      }
      const settings = await prepared(c, knownIntegration(channel.kind), typed)
      const asker = askerOf(c)
      const edit = { uuid: channel.uuid, name, settings, kept, asker, by: ownSession(c) }
      const { toAsk } = await changeChannel(c.var.deps.store, edit, c.var.deps.clock.now())
      setFlash(c, 'good', 'Saved.')
      if (toAsk !== null && asker) {
        await askOwner(c, { channelUuid: channel.uuid, address: toAsk, project: found.project.name, asker })
      }
      return seeOther(c, `/integrations/${channel.uuid}/`)
    },
    problem => formPage(c, found, { ...shown, problem }),
  )
}

/** The kind with the fields that may be changed by hand, without those that a service or a recipient has verified. */
function editable(kind: string): Integration {
  const integration = askedByHand(knownIntegration(kind))
  const { setup, fields } = integration
  const fixed = setup && 'fixed' in setup ? (setup.fixed ?? []) : []
  return { ...integration, fields: fields.filter(({ name }) => !fixed.includes(name)) }
}

async function formPage(c: WebContext, { project, channel }: LoadedChannel, shown: Shown) {
  const integration = editable(channel.kind)
  const back = `/integrations/${channel.uuid}/`
  return ChannelForm({
    page: await pageContext(c, project),
    managedBy: await c.var.deps.store.projects.configOwner(project.id, 'channels', channel.uuid),
    title: `Edit ${titleOf(channel)}`,
    parent: { path: back, label: titleOf(channel) },
    help: integration.help,
    action: `${back}edit/`,
    back,
    submit: 'Save',
    fields: integration.fields,
    placeholders: integration.placeholders,
    kept: keptSecrets(integration, channel.settings),
    others: memberChoices(await c.var.deps.store.channels.list(project.id), channel.uuid),
    presets: integration.presets ?? [],
    previewable: integration.preview !== undefined,
    testable: !hasMembers(integration),
    ...shown,
  })
}
