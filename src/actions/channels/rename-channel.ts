import { Refusal } from '../../core/errors.js'
import type { StoreWith } from '../../storage/store.js'

/** The longest name of a channel, in characters. Source: docs/behaviour.md, section 11. */
const NAME_MAX_LENGTH = 100

/** The name of a channel as it is stored. Throws a `Refusal` if it is too long. */
export function channelName(name: string): string {
  const trimmed = name.trim()
  if ([...trimmed].length > NAME_MAX_LENGTH) {
    throw new Refusal('invalid', `an integration’s name has at most ${NAME_MAX_LENGTH} characters`)
  }
  return trimmed
}

/** Renames a channel. Throws a `Refusal` when the name is too long or the channel is gone. */
export async function renameChannel(
  store: StoreWith<'channels.rename'>,
  channelId: number,
  name: string,
  now: number,
): Promise<void> {
  const renamed = await store.channels.rename(channelId, channelName(name), now)
  if (!renamed) throw new Refusal('not-found', 'the integration does not exist any more')
}
