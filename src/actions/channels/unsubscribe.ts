/** The link at the end of an alert. Source: docs/behaviour.md, section 8.7. */
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import type { Channel } from '../../storage/channels/channels.js'
import type { StoreWith } from '../../storage/store.js'
import { channelOfLink, linkSignature } from './address-link.js'

const PURPOSE = 'unsubscribe'

/**
 * The path of the link by which the recipient of a channel at this address stops its messages. It is good as long as the
 * channel has this address: who was sent alerts before has no say in those of another recipient.
 */
export function unsubscribePath(secretKey: string, channelUuid: string, address: string): string {
  const signature = linkSignature(secretKey, PURPOSE, channelUuid, address)
  return `/integrations/${channelUuid}/unsub/${signature}/`
}

/** The channel whose present recipient has the link with this signature, or null. */
export async function channelToUnsubscribe(
  store: StoreWith<'channels.find'>,
  secretKeys: SecretKeys,
  channelUuid: string,
  signature: string,
): Promise<Pick<Channel, 'uuid' | 'settings'> | null> {
  return await channelOfLink(store, secretKeys, PURPOSE, channelUuid, signature)
}

/**
 * Stops the messages of a channel, which is kept. Where addresses have to be confirmed (`confirms`) the recipient has to
 * agree again before anything is sent there, a test too. Returns false as `channelToUnsubscribe` returns null.
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
