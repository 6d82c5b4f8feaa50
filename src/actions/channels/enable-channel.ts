import { Refusal } from '../../core/errors.js'
import type { Store } from '../../storage/store.js'

/** Lets a channel tell of changes again, or no longer. Throws a `Refusal` when it is gone. */
export async function enableChannel(
  store: Pick<Store, 'setChannelDisabled'>,
  channelId: number,
  enabled: boolean,
  now: number,
): Promise<void> {
  const found = await store.setChannelDisabled(channelId, !enabled, now)
  if (!found) throw new Refusal('not-found', 'the integration does not exist any more')
}
