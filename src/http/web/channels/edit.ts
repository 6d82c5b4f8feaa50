import { changeChannel } from '../../../actions/channels/change-channel.js'
import type { Integration } from '../../../integrations/integration.js'
import { joinMembers } from '../../../integrations/members.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { ChannelForm } from '../../../views/pages/channels/form.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import {
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
import { askerOf, askOwner } from './verify.js'

/** GET: the form with the stored values, except secrets. */
export async function showEditChannel(c: WebContext): Promise<Response> {
  const found = await loadChannelForChange(c)
  const { channel } = found
  const integration = editable(channel.kind)
  const stored = joinMembers(integration, channel.settings, channel.members)
  return await c.html(await formPage(c, found, channel.name, withoutSecrets(integration, stored), null))
}

/** POST: changes the channel; secrets that were left empty are kept. */
export async function submitEditChannel(c: WebContext): Promise<Response> {
  const found = await loadChannelForChange(c)
  const { channel } = found
  const integration = editable(channel.kind)
  const form = await formOf(c)
  const name = form.text('channel_name')
  return await tryForm(
    c,
    async () => {
      const typed = { ...channel.settings, ...readValues(integration, form, channel.settings) }
      const settings = await prepared(c, knownIntegration(channel.kind), typed)
      const asker = askerOf(c)
      const kept = secretsLeftEmpty(integration, form)
      const edit = { uuid: channel.uuid, name, settings, kept, asker }
      const { toAsk } = await changeChannel(c.var.deps.store, edit, c.var.deps.clock.now())
      setFlash(c, 'good', 'Saved.')
      if (toAsk !== null && asker) {
        await askOwner(c, { channelUuid: channel.uuid, address: toAsk, project: found.project.name, asker })
      }
      return seeOther(c, `/integrations/${channel.uuid}/`)
    },
    problem => formPage(c, found, name, readValues(integration, form), problem),
  )
}

/** The kind with the fields that may be changed by hand, without those that a service or a recipient has verified. */
function editable(kind: string): Integration {
  const integration = askedByHand(knownIntegration(kind))
  const { setup, fields } = integration
  const fixed = setup && 'fixed' in setup ? (setup.fixed ?? []) : []
  return { ...integration, fields: fields.filter(({ name }) => !fixed.includes(name)) }
}

async function formPage(
  c: WebContext,
  { project, channel }: LoadedChannel,
  name: string,
  values: Record<string, string>,
  problem: Problem | null,
) {
  const integration = editable(channel.kind)
  const back = `/integrations/${channel.uuid}/`
  return ChannelForm({
    page: await pageContext(c, project),
    title: `Edit ${titleOf(channel)}`,
    help: integration.help,
    action: `${back}edit/`,
    back,
    submit: 'Save',
    fields: integration.fields,
    placeholders: integration.placeholders,
    kept: keptSecrets(integration, channel.settings),
    others: memberChoices(await c.var.deps.store.channels.list(project.id), channel.uuid),
    name,
    values,
    problem,
  })
}
