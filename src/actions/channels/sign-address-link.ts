/** Signed links in e-mails to a channel's address. A link works only for this address of this channel. */
import { integrationOf } from '../../integrations/index.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import { isSignature, signatureOf } from '../../lib/secrets/signing.js'
import type { Channel } from '../../storage/channels/channels.js'
import type { StoreWith } from '../../storage/store.js'

/** What a link is for. */
export type LinkPurpose = 'confirm-address' | 'unsubscribe'

/** The signature of a link to a channel's address. */
export function signAddressLink(
  secretKey: string,
  purpose: LinkPurpose,
  channelUuid: string,
  address: string,
): string {
  return signatureOf(secretKey, purpose, `${channelUuid}:${address}`)
}

/**
 * Finds the channel whose current recipient was sent the link with a signature: null if the signature is wrong, or if
 * the channel was deleted or has another address now.
 */
export function channelByLink(purpose: LinkPurpose) {
  return async (
    store: StoreWith<'channels.find'>,
    secretKeys: SecretKeys,
    channelUuid: string,
    signature: string,
  ): Promise<Pick<Channel, 'uuid' | 'settings'> | null> => {
    const channel = await store.channels.find(channelUuid)
    const address = channel && integrationOf(channel.kind)?.recipient?.(channel.settings)
    if (!address || !isSignature(secretKeys, purpose, `${channelUuid}:${address}`, signature)) return null
    return { uuid: channelUuid, settings: channel.settings }
  }
}
