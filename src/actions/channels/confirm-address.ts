/** The word of an address's owner that alerts may be sent there. Source: docs/behaviour.md, section 8.7. */

import { confirmationWords } from '../../core/people/mail-words.js'
import { integrationOf } from '../../integrations/index.js'
import type { SecretKeys } from '../../lib/secrets/secret-key.js'
import type { Channel } from '../../storage/channels/channels.js'
import type { StoreWith } from '../../storage/store.js'
import type { MailDeps } from '../people/mail/mail-deps.js'
import { sendMail } from '../people/mail/send-link.js'
import { limitAttempts } from '../people/sign-in/limit-attempts.js'
import { channelOfLink, linkSignature } from './address-link.js'

const PURPOSE = 'confirm-address'

/** Who adds or changes a channel, where others have to agree to be written to; null: nobody has to be asked. */
export type Asker = { uuid: string; email: string; emailProven: boolean } | null

/**
 * The address whose owner has to agree before a channel with these settings tells anything, or null: one's own needs no
 * agreement where it is proven.
 */
export function addressToAsk(kind: string, settings: Record<string, string>, asker: Asker): string | null {
  const address = integrationOf(kind)?.recipient?.(settings)
  if (address === undefined || asker === null) return null
  const own = asker.emailProven && address.toLowerCase() === asker.email.toLowerCase()
  return own ? null : address
}

/**
 * Sends the owner of a channel's address the link by which they agree. Throws a `Refusal` past the limits of
 * docs/behaviour.md, section 11, and when the mail server does not take the mail.
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

/** The path of that link; it is good for this address of this channel alone. */
function confirmPath(secretKey: string, channelUuid: string, address: string): string {
  return `/integrations/${channelUuid}/verify/${linkSignature(secretKey, PURPOSE, channelUuid, address)}/`
}

/**
 * The channel whose address's owner alone has the link with this signature; null for a wrong one, and for a channel that
 * is gone or has another address now.
 */
export async function channelToConfirm(
  store: StoreWith<'channels.find'>,
  secretKeys: SecretKeys,
  channelUuid: string,
  signature: string,
): Promise<Pick<Channel, 'uuid' | 'settings'> | null> {
  return await channelOfLink(store, secretKeys, PURPOSE, channelUuid, signature)
}

/** Notes that the owner of the channel's address agrees. Returns false as `channelToConfirm` returns null. */
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
