import { Refusal } from '../../core/errors.js'
import type { Store } from '../../storage/store.js'

/** Deletes a channel with all that waits for it. Throws a `Refusal` when it is gone already. */
export async function deleteChannel(
  store: Pick<Store, 'deleteChannel'>,
  channelId: number,
  now: number,
): Promise<void> {
  const deleted = await store.deleteChannel(channelId, now)
  if (!deleted) throw new Refusal('not-found', 'the channel does not exist any more')
}
