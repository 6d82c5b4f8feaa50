import { Refusal } from '../../../core/errors.js'
import { needToChange } from '../../../integrations/index.js'
import type { Integration } from '../../../integrations/integration.js'
import { hasMembers } from '../../../integrations/members.js'
import { missingToAdd, missingToConnect } from '../../../integrations/missing-settings.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { Problem } from '../../../views/components/forms/form-problem.js'
import { AddChannelPage } from '../../../views/pages/channels/add.js'
import type { FormAnswer } from '../../../views/pages/channels/form-answer.js'
import { operatorOf } from '../../operator.js'
import { allow, projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import { sendCode } from './confirm.js'
import {
  areSame,
  askedByHand,
  defaultValues,
  knownIntegration,
  memberChoices,
  readValues,
} from './form-values.js'
import { alertFor, makeChannels, sentForAll, tellMade } from './make.js'
import { prepared } from './operator.js'
import { isTry, presetOf, tryDraft, wasTested } from './try-draft.js'

interface Typed {
  name: string
  /** Whether it is to alert for every check of the project. */
  forAll: boolean
  values: Readonly<Record<string, string>>
  /** Whether the fields of all tabs have the same values. */
  same: boolean
  problem: Problem | null
  answer: FormAnswer | null
}

/** GET: the page for adding a channel of a kind: by hand, at the service, or the settings that are missing for it. */
export async function showAddChannel(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const integration = knownIntegration(c.req.param('kind')!)
  allow(project, needToChange(integration.kind))
  const values = defaultValues(integration)
  const typed = {
    name: '',
    forAll: true,
    values,
    same: areSame(integration, values),
    problem: null,
    answer: null,
  }
  return await c.html(await addPage(c, project, integration, typed))
}

/** POST: adds it. If the recipient must consent, asks them first. */
export async function submitAddChannel(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const integration = knownIntegration(c.req.param('kind')!)
  const form = await formOf(c)
  const name = form.text('channel_name')
  const values = readValues(askedByHand(integration), form)
  const forAll = sentForAll(form)
  const typed: Typed = { name, forAll, values, same: form.has('same'), problem: null, answer: null }
  return await tryForm(
    c,
    async () => {
      if (!hasForm(integration) || missingToAdd(integration, operatorOf(c.var.deps)).length > 0) {
        throw new Refusal('invalid', `${integration.label} cannot be added with this form`)
      }
      const preset = presetOf(integration, form)
      if (preset) {
        const filled = { ...values, ...preset.values }
        const same = areSame(integration, filled)
        const answer = preset.answer
        return await c.html(
          await addPage(c, project, integration, { ...typed, values: filled, same, answer }),
        )
      }
      if (isTry(form)) {
        const answer = await tryDraft(c, project, integration, form, { name, settings: values, stored: null })
        return await c.html(await addPage(c, project, integration, { ...typed, answer }))
      }
      if (integration.setup?.way === 'confirm') {
        return await sendCode(c, project, integration, { name, forAll, values })
      }
      const settings = await prepared(c, integration, values)
      const made = await makeChannels(c, project, integration.kind, [{ name, settings }], forAll)
      return await tellMade(c, project, made, wasTested(form, values))
    },
    problem => addPage(c, project, integration, { ...typed, problem }),
  )
}

/** Whether a channel can be created from its fields alone. */
function hasForm({ setup }: Integration): boolean {
  return setup?.way !== 'invite' && (setup?.way !== 'authorise' || setup.byHand)
}

async function addPage(c: WebContext, project: ProjectAccess, integration: Integration, typed: Typed) {
  const { kind, label, help, setup } = integration
  const { forAll, ...shown } = typed
  const asked = await alertFor(c, project, forAll)
  const operator = operatorOf(c.var.deps)
  const back = `/projects/${project.uuid}/integrations/`
  const missing = missingToAdd(integration, operator)
  const others = memberChoices(await c.var.deps.store.channels.list(project.id), null)
  return AddChannelPage({
    page: await pageContext(c, project),
    kind,
    label,
    help,
    back,
    missing,
    connection:
      setup?.way === 'authorise'
        ? {
            help: setup.help,
            missing: missingToConnect(integration, operator),
            checks: setup.asks ? null : asked.checks,
          }
        : null,
    invitation:
      setup?.way === 'invite' && missing.length === 0
        ? { steps: setup.steps(operator), url: setup.botUrl(operator) }
        : null,
    form:
      hasForm(integration) && missing.length === 0
        ? {
            fields: askedByHand(integration).fields,
            placeholders: integration.placeholders,
            presets: integration.presets ?? [],
            previewable: integration.preview !== undefined,
            testable: setup?.way !== 'confirm' && !hasMembers(integration),
            kept: {},
            others,
            note: setup?.way === 'confirm' ? setup.help : '',
            submit: setup?.way === 'confirm' ? 'Send the code' : 'Add',
            alertFor: asked,
            ...shown,
          }
        : null,
  })
}
