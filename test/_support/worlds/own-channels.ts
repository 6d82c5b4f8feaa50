import type { Channel } from '../../../src/storage/channels/channels.js'
import type { Store } from '../../../src/storage/store.js'

/** The channels of a kind in a project, with the settings of that kind alone, without those that many have alike. */
export async function ownChannels(store: Store, projectId: number, kind: string): Promise<Channel[]> {
  const found = (await store.channels.list(projectId)).filter(channel => channel.kind === kind)
  return found.map(channel => {
    const { tell: _tell, hourly_limit: _limit, ...settings } = channel.settings
    return { ...channel, settings }
  })
}
