/** Links for who reads the mails to a channel's address; each holds for this address of this channel alone. */
import { integrationOf } from '../../integrations/index.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { Channel } from '../../storage/channels/channels.js'
import type { StoreWith } from '../../storage/store.js'

/** What a link is for. */
export type LinkPurpose = 'confirm-address' | 'unsubscribe'

/** What signs a link of a channel for its address. */
export function linkSignature(
  secretKey: string,
  purpose: LinkPurpose,
  channelUuid: string,
  address: string,
): string {
  return signatureOf(secretKey, purpose, `${channelUuid}:${address}`)
}

/** The channel whose present recipient has the link with this signature; null for a wrong one, and where it is gone. */
export async function channelOfLink(
  store: StoreWith<'channels.find'>,
  secretKeys: SecretKeys,
  purpose: LinkPurpose,
  channelUuid: string,
  signature: string,
): Promise<Pick<Channel, 'uuid' | 'settings'> | null> {
  const channel = await store.channels.find(channelUuid)
  const address = channel && integrationOf(channel.kind)?.recipient?.(channel.settings)
  if (!address || !isSignature(secretKeys, purpose, `${channelUuid}:${address}`, signature)) return null
  return { uuid: channelUuid, settings: channel.settings }
}
