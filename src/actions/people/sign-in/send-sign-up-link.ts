import { emailAddress } from '../../../core/people/email-address.js'
import { signUpWords } from '../../../core/people/mail-words.js'
import type { BackgroundMailDeps } from '../mail/send-link.js'
import { isWithinLimits, limitAttempts, uncountAttempt } from './limit-attempts.js'
import { sendLinkToAddress } from './send-sign-in-link.js'

/** How long a sign-up link works. */
export const SIGN_UP_LINK_SECONDS = 3_600

/**
 * Sends a link that creates an account, or a sign-in link to an address that has one, in the background: nobody else
 * learns who has an account. Above the limit of the address nothing is sent: the newest link that was sent, no matter
 * who asked for it, works in any browser in which the address is typed. Throws a `Refusal` for an invalid address, and
 * above the limits of the network and the mailbox. Source: docs/behaviour.md, section 9.6.
 */
export async function sendSignUpLink(
  deps: BackgroundMailDeps,
  { email, address, browser }: { email: string; address: string; browser: string },
): Promise<void> {
  const to = emailAddress(email)
  await limitAttempts(deps.store, deps.clock, { signUp: address })
  if (!(await countLink(deps, to))) return
  sendLinkToAddress(deps, {
    purpose: 'sign-up',
    to,
    userId: null,
    confirms: to,
    path: '/accounts/signup/',
    lastsSeconds: SIGN_UP_LINK_SECONDS,
    browser,
    ...signUpWords(deps.site),
  })
}

/** Counts a link for its address and its mailbox. If the mailbox has reached its limit, it counts for neither. */
async function countLink({ store, clock }: BackgroundMailDeps, to: string): Promise<boolean> {
  if (!(await isWithinLimits(store, clock, { signUpLink: to }))) return false
  try {
    await limitAttempts(store, clock, { signUpLinks: to })
  } catch (error) {
    await uncountAttempt(store, { signUpLink: to })
    throw error
  }
  return true
}
