import { emailAddress } from '../../core/people/email-address.js'
import { acceptWords, knownAddressWords } from '../../core/people/mail-words.js'
import type { Clock } from '../../lib/clock.js'
import { digestOf } from '../../lib/secrets/secrets.js'
import type { User } from '../../storage/people/users.js'
import type { Invited } from '../../storage/projects/invitations.js'
import type { Store } from '../../storage/store.js'
import { newUser } from '../people/create-account.js'
import { hashNewPassword } from '../people/hash-new-password.js'
import type { MailDeps } from '../people/mail/mail-deps.js'
import { sendLink } from '../people/mail/send-link.js'
import { limitAttempts } from '../people/sign-in/limit-attempts.js'
import { sendLinkToUser } from '../people/sign-in/send-sign-in-link.js'

/** How long a link that proves the address of an invited person works. */
export const PROOF_LINK_SECONDS = 3_600

/** The path of an invitation; the token that proves an address may follow. */
export const invitationPath = (token: string): string => `/accounts/invitations/${token}/`

/**
 * Sends a link, good with this invitation alone, by which somebody who has it proves an address and makes an account; to an address
 * that has an account, a link that opens it. Throws a `Refusal` for a bad address, past the limits, and when the mail
 * cannot be sent.
 */
export async function askForProof(
  deps: MailDeps,
  { token, invited }: { token: string; invited: Invited },
  { email, address, browser }: { email: string; address: string; browser: string },
): Promise<void> {
  const to = emailAddress(email)
  await limitAttempts(deps.store, deps.clock, {
    signUp: address,
    proofLinks: to,
    proofLink: `${digestOf(token)} ${to}`,
  })
  const user = await deps.store.people.findUser(to)
  if (user) {
    return await sendLinkToUser(deps, user, { ...knownAddressWords(deps.site, user.email), browser })
  }
  await sendLink(deps, {
    purpose: 'invited',
    invitation: digestOf(token),
    to,
    userId: null,
    confirms: to,
    path: invitationPath(token),
    lastsSeconds: PROOF_LINK_SECONDS,
    browser,
    ...acceptWords(deps.site, invited.project.name),
  })
}

/**
 * Makes an account for somebody who was invited, proven by the token `proof` of a mailed link or, with null, unproven,
 * and adds it to the project. Throws a `Refusal` for a bad address or password, past the limits, for an address that has
 * an account, and when the invitation or the link was used in the meantime.
 */
export async function acceptInvitation(
  { store, clock }: { store: Store; clock: Clock },
  { token, proof }: { token: string; proof: string | null },
  request: { email: string; password: string; timezone: string; address: string },
): Promise<User> {
  const { email, timezone } = request
  await limitAttempts(store, clock, { signUp: request.address })
  const passwordHash = await hashNewPassword(request.password, email)
  const user = newUser(clock, { email, passwordHash, emailProven: proof !== null, timezone })
  return await store.people.createGuest({
    invitation: digestOf(token),
    proof: proof === null ? null : digestOf(proof),
    user,
  })
}
