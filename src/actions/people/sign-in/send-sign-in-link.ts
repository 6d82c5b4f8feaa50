import { addressOrNull } from '../../../core/people/email-address.js'
import type { User } from '../../../storage/people/users.js'
import type { MailDeps } from '../mail/mail-deps.js'
import { type LinkWords, signInWords } from '../mail/mail-words.js'
import { sendLink } from '../mail/send-link.js'
import { limitAttempts } from './limit-attempts.js'

/** How long a link to sign in works. */
export const SIGN_IN_LINK_SECONDS = 900

/**
 * Sends a link that signs in, in the browser that asked for it (`browser`: the digest of a secret of its own), if anybody has this address; whether anybody does is not told, nor to be measured:
 * nobody waits for the mail server, and `onError` hears of its trouble. Throws a `Refusal` past the limits of
 * section 11.
 */
export async function sendSignInLink(
  deps: MailDeps & { onError(error: unknown): void },
  { email, address, browser }: { email: string; address: string; browser: string },
): Promise<void> {
  const to = email.trim().toLowerCase().replace(/\s/g, ' ')
  await limitAttempts(deps.store, deps.clock, {
    link: address,
    linkTo: `${to}\n${address}`,
    linksTo: to,
  })
  const known = addressOrNull(to)
  const user = known === null ? null : await deps.store.findUser(known)
  if (user) sendLinkToUser(deps, user, { ...signInWords(deps.site, user.email), browser }).catch(deps.onError)
}

/** Sends somebody with an account the link that opens it, with these words around it, in any browser unless one is named. */
export async function sendLinkToUser(
  deps: MailDeps,
  user: User,
  words: LinkWords & { browser?: string },
): Promise<void> {
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
