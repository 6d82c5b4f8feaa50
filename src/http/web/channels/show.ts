import { tagList } from '../../../core/checks/check.js'
import { may } from '../../../core/people/role.js'
import type { Field } from '../../../integrations/field.js'
import { maskSettings } from '../../../integrations/fields.js'
import { integrationOf, needToChange } from '../../../integrations/index.js'
import type { Channel } from '../../../storage/channels/channels.js'
import { ChannelLog } from '../../../views/pages/channels/log.js'
import { ChannelPage, CheckTick, LiveState } from '../../../views/pages/channels/show.js'
import type { WebContext } from '../context.js'
import { listHtml } from '../list-html.js'
import { projectVersion, streamProject } from '../live/live-project.js'
import { pageContext } from '../page-context.js'
import { titleOf } from './form-values.js'
import { loadChannel } from './load-channel.js'

/** The number of notifications on the page. */
const LISTED = 50

/** GET: a channel, its checks, and its latest notifications. */
export async function showChannel(c: WebContext): Promise<Response> {
  const { project, channel } = await loadChannel(c, 'read')
  const { store } = c.var.deps
  const version = await projectVersion(c, project)
  const [checks, log, channels, managedBy, page] = await Promise.all([
    store.channels.assignableChecks(project.id, channel.id),
    store.channels.log(channel.id, LISTED),
    store.channels.list(project.id),
    store.projects.configOwner(project.id, 'channels', channel.uuid),
    pageContext(c, project),
  ])
  const { uuid, disabled, confirmed, lastNotify, lastError } = channel
  const ticks = await listHtml(checks, check =>
    CheckTick({ page, check: { ...check, tags: tagList(check.tags) } }),
  )
  return await c.html(
    ChannelPage({
      page,
      version,
      channel: {
        uuid,
        disabled,
        lastNotify,
        lastError,
        confirmed,
        managedBy,
        title: titleOf(channel),
        kindLabel: integrationOf(channel.kind)?.label ?? channel.kind,
        facts: factsOf(channel, channels),
        changeable: may(project.role, needToChange(channel.kind)),
      },
      checks: { count: checks.length, assigned: checks.filter(({ assigned }) => assigned).length, ticks },
      ...log,
    }),
  )
}

/** GET: changes on the page of a channel: whether it works, and its notifications. */
export async function streamChannel(c: WebContext): Promise<Response> {
  const { project, channel } = await loadChannel(c, 'read')
  const context = await pageContext(c, project)
  const { store } = c.var.deps
  return await streamProject(c, project, async now => {
    const page = { ...context, now }
    const [health, log] = await Promise.all([
      store.channels.find(channel.uuid),
      store.channels.log(channel.id, LISTED),
    ])
    if (!health) return {}
    return {
      'channel-state': String(LiveState({ page, health })),
      'channel-log': String(ChannelLog({ page, ...log })),
    }
  })
}

/** The settings in words, with secrets masked and without empty ones. */
function factsOf(channel: Channel, channels: readonly Channel[]): { label: string; value: string }[] {
  const integration = integrationOf(channel.kind)
  if (!integration) return []
  const masked = maskSettings(integration, channel.settings)
  const members = channels.filter(other => channel.members.includes(other.uuid)).map(titleOf)
  return integration.fields
    .map(field => ({ label: field.label, value: textOf(field, masked[field.name] ?? '', members) }))
    .filter(({ value }) => value !== '')
}

function textOf(field: Field, value: string, members: readonly string[]): string {
  if (field.type === 'flag') return value === 'true' ? 'yes' : 'no'
  return field.type === 'channels' ? members.join(', ') : value
}
