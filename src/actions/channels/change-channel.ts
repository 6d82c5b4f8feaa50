import { Refusal } from '../../core/errors.js'
import type { ChannelSettings } from '../../integrations/field.js'
import { checkSettings } from '../../integrations/fields.js'
import { integrationOf, needToChange } from '../../integrations/index.js'
import type { Integration } from '../../integrations/integration.js'
import { splitMembers } from '../../integrations/members.js'
import { refuseMovedSecrets } from '../../integrations/moved-secrets.js'
import { sameDestination, sentAlike } from '../../integrations/same-destination.js'
import type { KnownAuthor } from '../../storage/projects/lock-author.js'
import type { StoreWith } from '../../storage/store.js'
import { refuseNesting } from './add-channel.js'
import { type Asker, addressToAsk } from './confirm-address.js'
import { channelName } from './rename-channel.js'

/** The new name and settings of a channel, with the field names of its kind; secrets as they are to be stored. */
export interface ChannelEdit {
  uuid: string
  name: string
  settings: ChannelSettings
  /** The names of the secrets that were left empty: they keep their stored values. */
  kept: readonly string[]
  /** Null if no recipient has to agree. */
  asker: Asker
  /** Who changes it; null: the operator. */
  by: KnownAuthor | null
}

type ChangingStore = StoreWith<'channels.find' | 'channels.update' | 'channels.list'>

/** How often a change is tried while others change the same integration. */
const MOST_TIMES = 5

/**
 * Changes a channel's name and settings, and enables it if it was disabled. `toAsk`: as from
 * `addChannel`. Throws a `Refusal` as `addChannel` does, if a stored secret would be sent to another
 * address, if the channel was deleted, and if `by` may not change it any more.
 */
export async function changeChannel(
  store: ChangingStore,
  edit: ChannelEdit,
  now: number,
): Promise<{ toAsk: string | null }> {
  for (let time = 1; time <= MOST_TIMES; time += 1) {
    const changed = await tryToChange(store, edit, now)
    if (changed) return changed
  }
  throw new Refusal('conflict', 'the integration was changed at the same time: try again')
}

/** Null if others changed the settings in the meantime. */
async function tryToChange(
  store: ChangingStore,
  { uuid, name, settings: given, kept: keptSecrets, asker, by }: ChannelEdit,
  now: number,
): Promise<{ toAsk: string | null } | null> {
  const channel = await store.channels.find(uuid)
  if (!channel) throw new Refusal('not-found', 'the integration no longer exists')
  const integration = integrationOf(channel.kind)
  if (!integration) throw new Refusal('invalid', `this version knows no integration "${channel.kind}"`)
  const { settings, members } = splitMembers(
    integration,
    changedSettings(integration, channel.settings, given, keptSecrets),
  )
  if (members.length > 0) await refuseNesting(store, channel.projectId, members)
  const kept = integration.recipient?.(settings) === integration.recipient?.(channel.settings)
  const toAsk = kept ? null : addressToAsk(channel.kind, settings, asker)
  const changed = await store.channels.update({
    id: channel.id,
    projectId: channel.projectId,
    name: channelName(name),
    settings,
    members,
    was: channel.settings,
    // The recipient's consent stays, and so does that they took it back in the meantime.
    confirmed: kept ? undefined : toAsk === null,
    redirected: !sameDestination(integration, channel.settings, settings),
    sentAlike: sentAlike(integration, channel.settings, settings),
    by,
    need: needToChange(channel.kind),
    now,
  })
  return changed ? { toAsk } : null
}

/**
 * The valid settings that `given` asks for. Throws a `Refusal` for invalid ones, and if a secret of `stored` that was left empty
 * would be sent to another address.
 */
export function changedSettings(
  integration: Integration,
  stored: ChannelSettings,
  given: ChannelSettings,
  kept: readonly string[],
): ChannelSettings {
  const settings = checkSettings(integration, given)
  refuseMovedSecrets(integration, kept, stored, settings)
  return settings
}
