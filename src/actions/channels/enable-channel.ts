import { Refusal } from '../../core/errors.js'
import type { StoreWith } from '../../storage/store.js'

/** Lets a channel tell of changes again, or no longer. Throws a `Refusal` when it is gone. */
export async function enableChannel(
  store: StoreWith<'channels.setDisabled'>,
  channelId: number,
  enabled: boolean,
  now: number,
): Promise<void> {
  const found = await store.channels.setDisabled(channelId, !enabled, now)
  if (!found) throw new Refusal('not-found', 'the integration does not exist any more')
}
