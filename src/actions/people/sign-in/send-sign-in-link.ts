import { addressOrNull } from '../../../core/people/email-address.js'
import { type LinkWords, signInWords } from '../../../core/people/mail-words.js'
import type { User } from '../../../storage/people/users.js'
import type { MailDeps } from '../mail/mail-deps.js'
import { sendLink } from '../mail/send-link.js'
import { accountKey, isWithinLimits, limitAttempts } from './limit-attempts.js'

/** How long a link to sign in works. */
export const SIGN_IN_LINK_SECONDS = 900

/**
 * Sends a link that signs in to the account with this address, if there is one; nobody waits for the mail server, so that
 * this cannot be told, and `onError` hears of its trouble. Throws a `Refusal` past the limits of a network. Past those of the
 * account nothing is sent, and the browser that asked opens the newest link that was: strangers lock nobody out.
 */
export async function sendSignInLink(
  deps: MailDeps & { onError(error: unknown): void },
  { email, address, browser }: { email: string; address: string; browser: string },
): Promise<void> {
  const { store, clock } = deps
  const known = addressOrNull(email)
  const user = known === null ? null : await store.people.findUser(known)
  const account = accountKey(user, known)
  const linkTo = account === null ? null : `${account}\n${address}`
  await limitAttempts(store, clock, { link: address, linkTo })
  if (user) sendWithinLimits(deps, user, browser).catch(deps.onError)
}

/** Only what is mailed is counted, and nobody waits for that either. */
async function sendWithinLimits(deps: MailDeps, user: User, browser: string): Promise<void> {
  if (!(await isWithinLimits(deps.store, deps.clock, { linksTo: String(user.id) }))) return
  await sendLinkToUser(deps, user, { ...signInWords(deps.site, user.email), browser })
}

/**
 * Sends somebody with an account the link that opens it, with these words around it, for the browser that asked. To a person
 * whom the operator has disabled nothing is sent: it would let nobody in.
 */
export async function sendLinkToUser(
  deps: MailDeps,
  user: User,
  words: LinkWords & { browser: string },
): Promise<void> {
  if ((await deps.store.people.signInFacts({ id: user.id }))?.disabled) return
  await sendLink(deps, {
    purpose: 'sign-in',
    to: user.email,
    userId: user.id,
    confirms: user.email,
    path: '/accounts/link/',
    lastsSeconds: SIGN_IN_LINK_SECONDS,
    ...words,
  })
}
