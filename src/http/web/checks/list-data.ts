import type { StateCounts } from '../../../core/checks/check-list.js'
import type { ChecksPage } from '../../../core/checks/listed-check.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { ChannelHealth } from '../../../storage/projects/project-stamp.js'
import { readListQuery, type ShownQuery } from '../../../views/check-list-query.js'
import type { SignedChannel } from '../../../views/components/channels/channel-toggle.js'
import { PAGE_SIZE } from '../../../views/pages/checks/checks.js'
import type { WebContext } from '../context.js'
import { versionOf } from '../live/live.js'
import { requireUser } from '../people/session.js'
import { signedChannels } from './shown-channels.js'

export type Stamps = Record<string, string>

export interface ListData {
  query: ShownQuery
  list: ChecksPage
  channels: SignedChannel[]
  stamps: Stamps
  health: ChannelHealth
  version: string
}

/** What the list of checks shows, for the address that was asked for. */
export async function listData(c: WebContext, project: ProjectAccess, now: number): Promise<ListData> {
  const { store } = c.var.deps
  const query = readListQuery(new URL(c.req.url).searchParams, requireUser(c).user.listSort)
  const [list, channels, health] = await Promise.all([
    store.listChecks(project.id, { ...query, pageSize: PAGE_SIZE }, now),
    store.listChannels(project.id),
    store.channelHealth(project.id),
  ])
  const uuids = list.checks.map(check => check.uuid)
  const stamps = await store.checkStamps(project.id, uuids, now)
  const version = listVersion(stamps, list.counts, health)
  return { query, list, channels: signedChannels(channels), stamps, health, version }
}

/** The version of a page of the list. */
export function listVersion(stamps: Stamps, counts: StateCounts, health: ChannelHealth): string {
  return versionOf([Object.entries(stamps).sort(), counts, health])
}
