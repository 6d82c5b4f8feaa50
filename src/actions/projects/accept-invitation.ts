import { emailAddress } from '../../core/people/email-address.js'
import { acceptWords } from '../../core/people/mail-words.js'
import type { Clock } from '../../lib/clock.js'
import { digestOf } from '../../lib/secrets/secrets.js'
import type { User } from '../../storage/people/users.js'
import type { Invited } from '../../storage/projects/invitations.js'
import type { Store } from '../../storage/store.js'
import { newUser } from '../people/create-account.js'
import { hashNewPassword } from '../people/hash-new-password.js'
import type { BackgroundMailDeps } from '../people/mail/send-link.js'
import { limitAttempts } from '../people/sign-in/limit-attempts.js'
import { sendLinkToAddress } from '../people/sign-in/send-sign-in-link.js'

/** How long a link works that proves the address of an invited person. */
export const PROOF_LINK_SECONDS = 3_600

/** The path of an invitation; a token that proves an address may follow. */
export const invitationPath = (token: string): string => `/accounts/invitations/${token}/`

/**
 * Sends a link, for this invitation alone, by which its holder proves an address and creates an account, or a sign-in
 * link to an address that has one, in the background. Throws a `Refusal` for an invalid address and above the limits.
 */
export async function askForProof(
  deps: BackgroundMailDeps,
  { token, invited }: { token: string; invited: Invited },
  { email, address, browser }: { email: string; address: string; browser: string },
): Promise<void> {
  const to = emailAddress(email)
  await limitAttempts(deps.store, deps.clock, {
    signUp: address,
    proofLinks: to,
    proofLink: `${digestOf(token)} ${to}`,
  })
  sendLinkToAddress(deps, {
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
 * Creates an account for an invited person and adds it to the project. With the token `proof` of a mailed link the
 * address is proven; with null it is not. Throws a `Refusal` for an invalid address or password, above the limits,
 * for an address that has an account, and if the invitation or the link was used in the meantime.
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
