import { Refusal } from '../../core/errors.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { Store } from '../../storage/store.js'
import { enableChannel } from './enable-channel.js'

const PURPOSE = 'unsubscribe'

/** The path of the link by which a channel's recipient stops its messages, and nobody else. */
export function unsubscribePath(secretKey: string, channelUuid: string): string {
  return `/integrations/${channelUuid}/unsub/${signatureOf(secretKey, PURPOSE, channelUuid)}/`
}

/** Whether `signature` came with a link of this channel. */
export function mayUnsubscribe(secretKeys: SecretKeys, channelUuid: string, signature: string): boolean {
  return isSignature(secretKeys, PURPOSE, channelUuid, signature)
}

/** Stops the messages of a channel, which is kept. Throws a `Refusal` when it does not exist. */
export async function unsubscribe(
  store: Pick<Store, 'findChannel' | 'setChannelDisabled'>,
  channelUuid: string,
  now: number,
): Promise<void> {
  const channel = await store.findChannel(channelUuid)
  if (!channel) throw new Refusal('not-found', 'there is no such integration')
  await enableChannel(store, channel.id, false, now)
}
