/** The "unsubscribe" link at the end of an alert. Source: docs/behaviour.md, section 8.7. */
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import type { StoreWith } from '../../storage/store.js'
import { channelByLink, signAddressLink } from './sign-address-link.js'

const PURPOSE = 'unsubscribe'

/**
 * The path of the link by which a channel's recipient stops its messages. It works as long as the channel has this
 * address: a former recipient cannot stop the alerts of the current one.
 */
export function unsubscribePath(secretKey: string, channelUuid: string, address: string): string {
  const signature = signAddressLink(secretKey, PURPOSE, channelUuid, address)
  return `/integrations/${channelUuid}/unsub/${signature}/`
}

/** The channel whose current recipient was sent the link with this signature, or null. */
export const channelToUnsubscribe = channelByLink(PURPOSE)

/**
 * Stops the messages of a channel, but keeps the channel. If addresses have to be confirmed (`confirms`), the
 * recipient has to agree again before anything, even a test, is sent there. Returns false where
 * `channelToUnsubscribe` returns null.
 */
export async function unsubscribe(
  store: StoreWith<'channels.find' | 'channels.unsubscribe'>,
  secretKeys: SecretKeys,
  link: { channelUuid: string; signature: string },
  { confirms, now }: { confirms: boolean; now: number },
): Promise<boolean> {
  const channel = await channelToUnsubscribe(store, secretKeys, link.channelUuid, link.signature)
  return channel !== null && (await store.channels.unsubscribe({ ...channel, confirms, now }))
}
