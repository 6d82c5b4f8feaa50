import type { User } from '../storage/users.js'
import { limitAttempts } from './limit-attempts.js'
import type { MailDeps } from './mail-deps.js'
import { signInWords } from './mail-words.js'
import { sendLink } from './send-link.js'

/**
 * Sends a link that signs in, if anybody has this address; whether anybody does is not told, nor to be measured:
 * nobody waits for the mail server, and `onError` hears of its trouble. Throws a `Refusal` past the limits of
 * section 11.
 */
export async function sendSignInLink(
  deps: MailDeps & { onError(error: unknown): void },
  { email, address }: { email: string; address: string },
): Promise<void> {
  const to = email.trim().toLowerCase()
  await limitAttempts(deps.store, deps.clock, { link: address, mail: to })
  const user = await deps.store.findUser(to)
  if (user) sendLinkToUser(deps, user).catch(deps.onError)
}

/** Sends somebody with an account the link that opens it, with these words around it. */
export async function sendLinkToUser(
  deps: MailDeps,
  user: User,
  words = signInWords(deps.site, user.email),
): Promise<void> {
  await sendLink(deps, {
    purpose: 'sign-in',
    to: user.email,
    userId: user.id,
    confirms: user.email,
    path: '/accounts/link/',
    lastsSeconds: 3_600,
    ...words,
  })
}
