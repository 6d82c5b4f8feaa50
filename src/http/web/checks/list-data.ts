import type { StateCounts } from '../../../core/checks/check-list.js'
import type { ChecksPage } from '../../../core/checks/listed-check.js'
import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { ChannelHealth } from '../../../storage/projects/project-fingerprint.js'
import { readListQuery, type ShownQuery } from '../../../views/check-list-query.js'
import type { SignedChannel } from '../../../views/components/channels/channel-toggle.js'
import { PAGE_SIZE } from '../../../views/pages/checks/checks.js'
import type { WebContext } from '../context.js'
import { versionOf } from '../live/live.js'
import { signedChannels } from './shown-channels.js'

export type Fingerprints = Record<string, string>

export interface ListData {
  query: ShownQuery
  list: ChecksPage
  channels: SignedChannel[]
  fingerprints: Fingerprints
  health: ChannelHealth
  /** The silences of the project that are active. */
  silences: ShownSilence[]
  version: string
}

/** The data of the list of checks for the requested address. */
export async function listData(c: WebContext, project: ProjectAccess, now: number): Promise<ListData> {
  const { store } = c.var.deps
  const query = readListQuery(new URL(c.req.url).searchParams)
  const [list, channels, health, silences] = await Promise.all([
    store.checks.list(project.id, { ...query, pageSize: PAGE_SIZE }, now),
    store.channels.list(project.id),
    store.projects.channelHealth(project.id),
    store.silences.listActive(project.id, now),
  ])
  const uuids = list.checks.map(check => check.uuid)
  const fingerprints = await store.checks.fingerprints(project.id, uuids, now)
  const version = listVersion(fingerprints, list.counts, health, silences)
  return { query, list, channels: signedChannels(channels), fingerprints, health, silences, version }
}

/** The version of a page of the list. */
export function listVersion(
  fingerprints: Fingerprints,
  counts: StateCounts,
  health: ChannelHealth,
  silences: readonly ShownSilence[],
): string {
  return versionOf([Object.entries(fingerprints).sort(), counts, health, silences])
}
