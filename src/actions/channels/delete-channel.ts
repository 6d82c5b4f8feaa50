import { Refusal } from '../../core/errors.js'
import type { StoreWith } from '../../storage/store.js'

/** Deletes a channel and the deliveries that wait for it. Throws a `Refusal` if it was deleted already. */
export async function deleteChannel(
  store: StoreWith<'channels.delete'>,
  channelId: number,
  now: number,
): Promise<void> {
  const deleted = await store.channels.delete(channelId, now)
  if (!deleted) throw new Refusal('not-found', 'the integration does not exist any more')
}
