import { integrationOf } from '../../../integrations/index.js'
import type { ListedChannel } from '../../../storage/channels/channel-pages.js'
import { type ChannelRow, ChannelRows, ChannelsPage } from '../../../views/pages/channels/list.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { projectVersion, streamProject } from '../live/live-project.js'
import { pageContext } from '../page-context.js'
import { kindCards } from './choose.js'
import { describe, titleOf } from './form-values.js'

/** GET: the channels of a project. */
export async function listChannels(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const version = await projectVersion(c, project)
  const { channels, checks } = await c.var.deps.store.channels.page(project.id)
  return await c.html(
    ChannelsPage({
      page: await pageContext(c, project),
      projectUuid: project.uuid,
      version,
      rows: channels.map(rowOf),
      totalChecks: checks,
      kinds: kindCards(c, project),
    }),
  )
}

/** GET: changes in the list of channels. */
export async function streamChannels(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const page = await pageContext(c, project)
  return await streamProject(c, project, async now => {
    const { channels, checks } = await c.var.deps.store.channels.page(project.id)
    const shown = { page: { ...page, now }, rows: channels.map(rowOf), totalChecks: checks }
    return { channels: String(ChannelRows(shown)) }
  })
}

function rowOf(channel: ListedChannel): ChannelRow {
  const { uuid, disabled, confirmed, lastNotify, lastError, checks } = channel
  const integration = integrationOf(channel.kind)
  return {
    uuid,
    disabled,
    lastNotify,
    lastError,
    confirmed,
    checks,
    title: titleOf(channel),
    detail: channel.name ? describe(channel) : '',
    kindLabel: integration?.label ?? channel.kind,
    logo: integration?.logo ?? '',
  }
}
