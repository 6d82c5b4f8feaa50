import { Refusal } from '../../core/errors.js'
import { checkSettings } from '../../integrations/fields.js'
import { integrationOf, integrations, needToChange } from '../../integrations/index.js'
import { hasMembers, splitMembers } from '../../integrations/members.js'
import type { Clock } from '../../lib/clock.js'
import type { KnownAuthor } from '../../storage/projects/lock-author.js'
import type { StoreWith } from '../../storage/store.js'
import { type Asker, addressToAsk } from './confirm-address.js'
import { channelName } from './rename-channel.js'

/** A request to add a channel; `settings` has the field names that the kind declares. */
export interface ChannelRequest {
  projectId: number
  kind: string
  name: string
  settings: Readonly<Record<string, string>>
  /** Whether it alerts for every check that the project has; default true. */
  forAll?: boolean
  /** Null if no recipient has to agree. */
  asker: Asker
  /** Who adds it; null: the operator. */
  by: KnownAuthor | null
}

/**
 * Adds a channel to a project and links it to the project's checks, unless `forAll` is false. `toAsk` is the address whose owner has to agree
 * before anything is sent; null if nobody has to. Throws a `Refusal` for an unknown kind, for invalid settings, and
 * for members that are in another project or have members themselves, and if `by` may not add it any more.
 */
export async function addChannel(
  store: StoreWith<'channels.create' | 'channels.list'>,
  clock: Clock,
  { projectId, kind, name, settings: given, forAll, asker, by }: ChannelRequest,
): Promise<{ uuid: string; kind: string; name: string; toAsk: string | null }> {
  const integration = integrationOf(kind)
  if (!integration) {
    const kinds = integrations.map(known => known.kind).join(', ')
    throw new Refusal('invalid', `there is no kind of channel "${kind}"; there are: ${kinds}`)
  }
  const { settings, members } = splitMembers(integration, checkSettings(integration, given))
  if (members.length > 0) await refuseNesting(store, projectId, members)
  const named = channelName(name)
  const toAsk = addressToAsk(kind, settings, asker)
  const { uuid } = await store.channels.create({
    projectId,
    kind,
    name: named,
    settings,
    members,
    confirmed: toAsk === null,
    forAll: forAll ?? true,
    by,
    need: needToChange(kind),
    now: clock.now(),
  })
  return { uuid, kind, name: named, toAsk }
}

/** Alerts go only one level deep, so a member with members of its own would swallow them. */
export async function refuseNesting(
  store: StoreWith<'channels.list'>,
  projectId: number,
  members: readonly string[],
): Promise<void> {
  for (const channel of await store.channels.list(projectId)) {
    const integration = integrationOf(channel.kind)
    if (members.includes(channel.uuid) && integration && hasMembers(integration)) {
      throw new Refusal('invalid', `the channel ${channel.uuid} has members itself, so it cannot be one`)
    }
  }
}
