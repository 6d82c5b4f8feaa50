import { integrationOf, integrations } from '../../../integrations/index.js'
import type { ListedChannel } from '../../../storage/channel-pages.js'
import { type IntegrationRow, IntegrationsPage } from '../../../views/pages/integrations/list.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { describe, titleOf } from './form-values.js'

/** GET: who is told when a check of the project changes. */
export async function listIntegrations(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const { channels, checks } = await c.var.deps.store.channelsPage(project.id)
  return await c.html(
    IntegrationsPage({
      page: await pageContext(c, project),
      projectUuid: project.uuid,
      rows: channels.map(rowOf),
      totalChecks: checks,
      kinds: integrations,
    }),
  )
}

function rowOf(channel: ListedChannel): IntegrationRow {
  const { uuid, disabled, lastNotify, lastError, checks } = channel
  const integration = integrationOf(channel.kind)
  return {
    uuid,
    disabled,
    lastNotify,
    lastError,
    checks,
    title: titleOf(channel),
    detail: channel.name ? describe(channel) : '',
    kindLabel: integration?.label ?? channel.kind,
    logo: integration?.logo ?? '',
  }
}
