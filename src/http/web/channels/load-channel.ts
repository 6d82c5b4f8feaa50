import { Refusal } from '../../../core/errors.js'
import type { Need } from '../../../core/people/role.js'
import { needToChange } from '../../../integrations/index.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { Store } from '../../../storage/store.js'
import { allow, channelOf } from '../access.js'
import type { WebContext } from '../context.js'

/** The channel of a page, and its project. */
export interface LoadedChannel {
  project: ProjectAccess
  channel: NonNullable<Awaited<ReturnType<Store['channels']['find']>>>
}

/** The channel named in the address. Throws a `Refusal` as `channelOf` does. */
export async function loadChannel(c: WebContext, need: Need): Promise<LoadedChannel> {
  const { project, channel: named } = await channelOf(c, c.req.param('uuid')!, need)
  const channel = await c.var.deps.store.channels.find(named.uuid)
  if (!channel) throw new Refusal('not-found', 'there is no such integration')
  return { project, channel }
}

/** The channel named in the address, for a user who may change it. Throws as `channelOf` does. */
export async function loadChannelForChange(c: WebContext): Promise<LoadedChannel> {
  const found = await loadChannel(c, 'write')
  allow(found.project, needToChange(found.channel.kind))
  c.set('noted', { kind: found.channel.kind })
  return found
}
