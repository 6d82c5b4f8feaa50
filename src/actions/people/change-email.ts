import { Refusal } from '../../core/errors.js'
import { emailAddress } from '../../core/people/email-address.js'
import {
  addressChangedWords,
  type Named,
  newAddressWords,
  proveAddressWords,
} from '../../core/people/mail-words.js'
import { digestOf } from '../../lib/secrets/secrets.js'
import type { MailDeps } from './mail/mail-deps.js'
import { sendLink, sendMail } from './mail/send-link.js'
import { limitAttempts } from './sign-in/limit-attempts.js'

/**
 * Sends a link to an address, by which it becomes the account's; to the account's own, by which it is proven. Throws a `Refusal` for a bad address, past
 * the limits, and when the mail cannot be sent. An address that somebody has is not told apart.
 */
export async function requestEmailChange(
  deps: MailDeps,
  user: Named & { id: number },
  newEmail: string,
): Promise<void> {
  const to = emailAddress(newEmail)
  // What others have sent to the person's own address must not keep them from proving it.
  const mailed = to === user.email ? {} : { mail: to }
  await limitAttempts(deps.store, deps.clock, { ...mailed, addressChange: String(user.id) })
  await sendLink(deps, {
    purpose: 'change-email',
    to,
    userId: user.id,
    confirms: to,
    path: '/accounts/email/confirm/',
    lastsSeconds: 900,
    ...(to === user.email ? proveAddressWords(deps.site) : newAddressWords(deps.site, user)),
  })
}

/**
 * Makes the address that a link was sent to the account's, proven, tells the old one if that was proven, and returns the new one. It takes
 * a session of the account as well, so nobody proves an address for somebody else's account. Throws a `Refusal` when
 * the link does not work, or somebody has the address.
 */
export async function confirmEmailChange(
  deps: MailDeps,
  { user, sessionId }: { user: { id: number; email: string }; sessionId: string },
  token: string,
): Promise<string> {
  const now = deps.clock.now()
  const found = await findEmailChange(deps, user, token)
  const wasProven = (await deps.store.people.signInFacts({ id: user.id }))?.emailProven
  await deps.store.people.takeToken(digestOf(token), 'change-email', now)
  await deps.store.people.setEmail({ userId: user.id, sessionId, email: found.email, provenAt: now })
  if (found.email === user.email || !wasProven) return found.email
  await sendMail(deps, {
    to: user.email,
    ...addressChangedWords(deps.site, found.email),
    url: deps.site.root,
  }).catch(() => {}) // The old address may be dead: that is why people change it.
  return found.email
}

/**
 * The address that a link of this account confirms; the link stays good. Throws a `Refusal` for a link that does not work
 * or is another account's.
 */
export async function findEmailChange(
  { store, clock }: Pick<MailDeps, 'store' | 'clock'>,
  user: { id: number },
  token: string,
): Promise<{ email: string }> {
  const found = await store.people.findToken(digestOf(token), 'change-email', clock.now())
  if (!found?.email || found.userId !== user.id) {
    throw new Refusal(
      'gone',
      'it was used already, is older than 15 minutes, or is for another account: change the address again',
    )
  }
  return { email: found.email }
}
