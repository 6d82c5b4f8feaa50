/** The consent of an address's owner, for channels that programs add or change. */
import { type Asker, askToConfirm } from '../../../actions/channels/confirm-address.js'
import type { MailDeps } from '../../../actions/people/mail/send-link.js'
import { Refusal } from '../../../core/errors.js'
import type { Integration } from '../../../integrations/integration.js'
import type { AppDeps } from '../../deps.js'
import type { NativeCall } from '../native-operation.js'
import { inviterOf } from '../serve/person.js'

/**
 * Who asks, if the owners of other addresses must consent. A token of a project outlives the membership of who made it, so it has no
 * address of its own. Throws a `Refusal` for a token without a person.
 */
export async function askerOf(
  { deps, access }: NativeCall,
  { recipient }: Pick<Integration, 'recipient'>,
): Promise<Asker> {
  if (!deps.config.EMAIL_USE_VERIFICATION || recipient === undefined) return null
  const person = await deps.store.people.signInFacts({ id: inviterOf(access).userId })
  if (!person) throw new Refusal('not-found', 'there is no such account')
  return {
    uuid: person.uuid,
    email: person.email,
    emailProven: access.personId !== null && person.emailProven,
  }
}

/** Asks the owner of an address to consent, if there is one; the channel exists in any case. */
export async function askForConsent(
  { deps }: NativeCall,
  {
    address,
    asker,
    ...request
  }: { channelUuid: string; address: string | null; project: string; asker: Asker },
): Promise<void> {
  const mail = mailDepsOf(deps)
  if (address === null || asker === null || mail === null) return
  await askToConfirm(mail, deps.config.SECRET_KEY, { ...request, address, asker }).catch(error => {
    if (!(error instanceof Refusal)) throw error
  })
}

/** What sending an e-mail takes; null without a mail server. */
export function mailDepsOf({ store, clock, mailer, config }: AppDeps): MailDeps | null {
  const site = { name: config.SITE_NAME, root: config.SITE_ROOT }
  return mailer && { store, clock, mailer, site }
}
