import { Refusal } from '../../core/errors.js'
import type { Store } from '../../storage/store.js'

/** Deletes a channel, with what it still had to tell. Throws a `Refusal` when it is gone already. */
export async function deleteChannel(store: Pick<Store, 'deleteChannel'>, channelId: number): Promise<void> {
  const deleted = await store.deleteChannel(channelId)
  if (!deleted) throw new Refusal('not-found', 'the channel does not exist any more')
}
