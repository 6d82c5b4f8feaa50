import { emailAddress } from '../../../core/people/email-address.js'
import { knownAddressWords, signUpWords } from '../../../core/people/mail-words.js'
import { type MailDeps, sendLink } from '../mail/send-link.js'
import { isWithinLimits, limitAttempts, uncountAttempt } from './limit-attempts.js'
import { sendLinkToUser } from './send-sign-in-link.js'

/** How long a sign-up link works. */
export const SIGN_UP_LINK_SECONDS = 3_600

/**
 * Sends a link that creates an account. If the address has an account, sends a sign-in link with an explanation
 * instead, so that nobody else learns who has an account. Above the limit of the address nothing is sent: the newest
 * link that was sent, no matter who asked for it, works in any browser in which the address is typed. Throws a
 * `Refusal` for an invalid address, above the limits of the network and the mailbox, and if the e-mail cannot be
 * sent. Source: docs/behaviour.md, section 9.6.
 */
export async function sendSignUpLink(
  deps: MailDeps,
  { email, address, browser }: { email: string; address: string; browser: string },
): Promise<void> {
  const to = emailAddress(email)
  await limitAttempts(deps.store, deps.clock, { signUp: address })
  if (!(await countLink(deps, to))) return
  const user = await deps.store.people.findUser(to)
  if (user) {
    return await sendLinkToUser(deps, user, { ...knownAddressWords(deps.site, user.email), browser })
  }
  await sendLink(deps, {
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
async function countLink({ store, clock }: MailDeps, to: string): Promise<boolean> {
  if (!(await isWithinLimits(store, clock, { signUpLink: to }))) return false
  try {
    await limitAttempts(store, clock, { signUpLinks: to })
  } catch (error) {
    await uncountAttempt(store, { signUpLink: to })
    throw error
  }
  return true
}
