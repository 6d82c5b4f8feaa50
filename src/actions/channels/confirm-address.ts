/** The consent of an address's owner to alerts. Source: docs/behaviour.md, section 8.7. */

import { addressOrNull } from '../../core/people/email-address.js'
import { confirmationWords } from '../../core/people/mail-words.js'
import { integrationOf } from '../../integrations/index.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import type { StoreWith } from '../../storage/store.js'
import { type MailDeps, sendMail } from '../people/mail/send-link.js'
import { limitAttempts } from '../people/sign-in/limit-attempts.js'
import { channelByLink, signAddressLink } from './sign-address-link.js'

const PURPOSE = 'confirm-address'

/**
 * The person who adds or changes a channel, if the owners of other addresses have to agree; null
 * if nobody has to be asked.
 */
export type Asker = { uuid: string; email: string; emailProven: boolean } | null

/**
 * The address whose owner has to agree before a channel with these settings sends anything, or null. The asker's own
 * address needs no consent if it is proven.
 */
export function addressToAsk(kind: string, settings: Record<string, string>, asker: Asker): string | null {
  const address = integrationOf(kind)?.recipient?.(settings)
  if (address === undefined || asker === null) return null
  const own = asker.emailProven && addressOrNull(address) === asker.email
  return own ? null : address
}

/**
 * Sends the owner of a channel's address a link to agree. Throws a `Refusal` above the limits of
 * docs/behaviour.md, section 11, and if the mail server refuses the e-mail.
 */
export async function askToConfirm(
  deps: MailDeps,
  secretKey: string,
  request: { channelUuid: string; address: string; project: string; asker: NonNullable<Asker> },
): Promise<void> {
  const { channelUuid, address, project, asker } = request
  await limitAttempts(deps.store, deps.clock, { mail: address, confirmation: asker.uuid })
  await sendMail(deps, {
    to: address,
    ...confirmationWords(deps.site, asker, project, address),
    url: deps.site.root + confirmPath(secretKey, channelUuid, address),
  })
}

/** The path of that link, which works only for this address of this channel. */
function confirmPath(secretKey: string, channelUuid: string, address: string): string {
  return `/integrations/${channelUuid}/verify/${signAddressLink(secretKey, PURPOSE, channelUuid, address)}/`
}

/** The channel whose address was sent the link with this signature, or null. */
export const channelToConfirm = channelByLink(PURPOSE)

/** Records that the owner of the channel's address agrees. Returns false where `channelToConfirm` returns null. */
export async function confirmAddress(
  store: StoreWith<'channels.find' | 'channels.confirm'>,
  secretKeys: SecretKeys,
  channelUuid: string,
  signature: string,
  now: number,
): Promise<boolean> {
  const channel = await channelToConfirm(store, secretKeys, channelUuid, signature)
  return channel !== null && (await store.channels.confirm({ ...channel, now }))
}
