/** The "unsubscribe" link at the end of an alert. Source: docs/behaviour.md, section 8.7. */
import { createHash } from 'node:crypto'
import { integrationOf } from '../../integrations/index.js'
import { unsignDjango } from '../../lib/secrets/django-signing.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import type { Channel } from '../../storage/channels/channels.js'
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

const channelByOwnLink = channelByLink(PURPOSE)

/** The channel whose current recipient was sent the link with this signature, by us or by Healthchecks, or null. */
export async function channelToUnsubscribe(
  store: StoreWith<'channels.find' | 'channels.hasFirstRecipient'>,
  secretKeys: SecretKeys,
  channelUuid: string,
  signature: string,
): Promise<Pick<Channel, 'uuid' | 'settings'> | null> {
  const found = await channelByOwnLink(store, secretKeys, channelUuid, signature)
  if (found) return found
  const sent = unsignDjango(secretKeys, 'alerts', signature)
  if (!secretKeys.some(key => sent === tokenOfHealthchecks(channelUuid, key))) return null
  const channel = await store.channels.find(channelUuid)
  const address = channel && integrationOf(channel.kind)?.recipient?.(channel.settings)
  if (!address || !(await store.channels.hasFirstRecipient(channelUuid))) return null
  return { uuid: channelUuid, settings: channel.settings }
}

/** What the links of Healthchecks sign. Source: its hc/api/models.py, `Channel.make_token`. */
function tokenOfHealthchecks(channelUuid: string, secretKey: string): string {
  return createHash('sha1')
    .update(channelUuid + secretKey)
    .digest('hex')
}

/**
 * Stops the messages of a channel, but keeps the channel. If addresses have to be confirmed (`confirms`), the
 * recipient has to agree again before anything, even a test, is sent there. Returns false where
 * `channelToUnsubscribe` returns null.
 */
export async function unsubscribe(
  store: StoreWith<'channels.find' | 'channels.hasFirstRecipient' | 'channels.unsubscribe'>,
  secretKeys: SecretKeys,
  link: { channelUuid: string; signature: string },
  { confirms, now }: { confirms: boolean; now: number },
): Promise<boolean> {
  const channel = await channelToUnsubscribe(store, secretKeys, link.channelUuid, link.signature)
  return channel !== null && (await store.channels.unsubscribe({ ...channel, confirms, now }))
}
