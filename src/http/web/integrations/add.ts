import { addChannel } from '../../../actions/add-channel.js'
import type { Integration } from '../../../integrations/integration.js'
import type { ProjectAccess } from '../../../storage/access.js'
import type { Problem } from '../../../views/components/form-problem.js'
import { IntegrationForm } from '../../../views/pages/integrations/form.js'
import { projectOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { formOf } from '../form.js'
import { pageContext } from '../page-context.js'
import { tryForm } from '../try-form.js'
import { defaultValues, knownIntegration, memberChoices, readValues } from './form-values.js'

interface Typed {
  name: string
  values: Record<string, string>
  problem: Problem | null
}

/** GET: the form for a new integration of a kind. */
export async function showAddIntegration(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const integration = knownIntegration(c.req.param('kind')!)
  return await c.html(
    await formPage(c, project, integration, { name: '', values: defaultValues(integration), problem: null }),
  )
}

/** POST: adds it, assigned to every check of the project. */
export async function addIntegration(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const integration = knownIntegration(c.req.param('kind')!)
  const form = await formOf(c)
  const name = form.text('channel_name')
  const values = readValues(integration, form)
  const { store, clock } = c.var.deps
  return await tryForm(
    c,
    async () => {
      const request = { projectId: project.id, kind: integration.kind, name, settings: values }
      const { uuid } = await addChannel(store, clock, request)
      setFlash(
        c,
        'good',
        'Added, and assigned to every check of the project. Send a test to see that it arrives.',
      )
      return seeOther(c, `/integrations/${uuid}/`)
    },
    problem => formPage(c, project, integration, { name, values, problem }),
  )
}

async function formPage(c: WebContext, project: ProjectAccess, integration: Integration, typed: Typed) {
  const back = `/projects/${project.uuid}/integrations/`
  return IntegrationForm({
    page: await pageContext(c, project),
    title: `Add ${integration.label}`,
    help: integration.help,
    action: `${back}add/${integration.kind}/`,
    back,
    submit: 'Add',
    fields: integration.fields,
    kept: {},
    others: memberChoices(await c.var.deps.store.listChannels(project.id), null),
    ...typed,
  })
}
