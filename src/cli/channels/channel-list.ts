import { type Command, Option } from 'commander'
import type { Channel } from '../../storage/channels/channels.js'
import type { Store } from '../../storage/store.js'
import { jsonOption } from '../options.js'
import { isoSeconds, printJson, printTable } from '../print.js'
import { findProject } from '../projects/find-project.js'
import { withStore } from '../with-store.js'

export function addChannelList(parent: Command): void {
  parent
    .command('list')
    .addOption(new Option('--project <project>', 'only list channels of this project, by its name or UUID'))
    .addOption(jsonOption())
    .description('List channels with their destination and the result of their last message')
    .action(listChannels)
}

async function listChannels(options: { project?: string; json?: boolean }): Promise<void> {
  const channels = await withStore(async ({ store }) => {
    const projects = options.project
      ? [await findProject(store, options.project)]
      : await store.projects.list()
    return await channelsOf(store, projects)
  })
  const rows = await Promise.all(channels.map(({ project, channel }) => rowOf(project, channel)))
  if (options.json) return printJson(rows)
  printTable(
    ['UUID', 'KIND', 'NAME', 'LEADS TO', 'STATE'],
    rows.map(row => [row.uuid, row.kind, row.name, row.leads_to, stateOf(row)]),
    'There are no channels.',
  )
}

async function channelsOf(store: Store, projects: readonly { id: number; uuid: string }[]) {
  const found: { project: string; channel: Channel }[] = []
  for (const { id, uuid } of projects) {
    for (const channel of await store.channels.list(id)) found.push({ project: uuid, channel })
  }
  return found
}

async function rowOf(project: string, channel: Channel) {
  const [{ integrationOf }, { maskSettings }, { joinMembers }] = await Promise.all([
    import('../../integrations/index.js'),
    import('../../integrations/fields.js'),
    import('../../integrations/members.js'),
  ])
  const integration = integrationOf(channel.kind)
  const settings = integration && joinMembers(integration, channel.settings, channel.members)
  return {
    uuid: channel.uuid,
    // As versions before called it.
    id: channel.uuid,
    kind: channel.kind,
    name: channel.name,
    project,
    leads_to: integration && settings ? integration.describe(settings) : '',
    settings: integration && settings ? maskSettings(integration, settings) : {},
    disabled: channel.disabled,
    verified: channel.confirmed,
    last_notify: channel.lastNotify === null ? null : isoSeconds(channel.lastNotify),
    last_error: channel.lastError,
  }
}

function stateOf(row: Awaited<ReturnType<typeof rowOf>>): string {
  if (row.disabled) return `disabled: ${row.last_error}`
  if (!row.verified) return 'E-mail not verified'
  if (row.last_notify === null) return 'not used yet'
  return row.last_error === '' ? `worked ${row.last_notify}` : `failed ${row.last_notify}: ${row.last_error}`
}
