import { Refusal } from '../../core/errors.js'
import { emailAddress } from '../../core/people/email-address.js'
import {
  addressChangedWords,
  type Named,
  newAddressWords,
  proveAddressWords,
} from '../../core/people/mail-words.js'
import { digestOf } from '../../lib/secrets/secrets.js'
import { type MailDeps, sendLink, sendMail } from './mail/send-link.js'
import { limitAttempts } from './sign-in/limit-attempts.js'

/**
 * Sends a link to a new address, which becomes the account's when the link is opened; a link to the account's own
 * address proves it. Throws a `Refusal` for an invalid address, above the limits, if the e-mail cannot be sent, and if the session has ended.
 * The result does not reveal whether the address belongs to an account.
 */
export async function requestEmailChange(
  deps: MailDeps,
  { user, sessionId }: { user: Named & { id: number }; sessionId: string },
  newEmail: string,
): Promise<void> {
  const to = emailAddress(newEmail)
  // Mail that others have sent to the person's own address must not keep them from proving it.
  const mailed = to === user.email ? {} : { mail: to }
  await limitAttempts(deps.store, deps.clock, { ...mailed, addressChange: String(user.id) })
  await sendLink(deps, {
    purpose: 'change-email',
    to,
    userId: user.id,
    confirms: to,
    asker: { userId: user.id, sessionId },
    path: '/accounts/email/confirm/',
    lastsSeconds: 900,
    ...(to === user.email ? proveAddressWords(deps.site) : newAddressWords(deps.site, user)),
  })
}

/**
 * Makes the address that a link was sent to the account's proven address, and returns it. The former address is
 * notified if it was proven. The request must come from a session of the account, so that nobody proves an address
 * for another person's account. Throws a `Refusal` if the link does not work or the address is taken.
 */
export async function confirmEmailChange(
  deps: MailDeps,
  { user, sessionId }: { user: { id: number; email: string }; sessionId: string },
  token: string,
): Promise<string> {
  const now = deps.clock.now()
  const found = await findEmailChange(deps, user, token)
  const wasProven = (await deps.store.people.signInFacts({ id: user.id }))?.emailProven
  // Another request may have been faster: a link works once.
  const change = { userId: user.id, sessionId, email: found.email, provenAt: now, link: digestOf(token), now }
  if (!(await deps.store.people.setEmail(change))) throw linkUsed()
  if (found.email === user.email || !wasProven) return found.email
  await sendMail(deps, {
    to: user.email,
    ...addressChangedWords(deps.site, found.email),
    url: deps.site.root,
  }).catch(() => {}) // The former address may no longer work: that is one reason to change it.
  return found.email
}

/**
 * The address that a link of this account confirms, without using up the link. Throws a `Refusal` if the link does
 * not work or belongs to another account.
 */
export async function findEmailChange(
  { store, clock }: Pick<MailDeps, 'store' | 'clock'>,
  user: { id: number },
  token: string,
): Promise<{ email: string }> {
  const found = await store.people.findToken(digestOf(token), 'change-email', clock.now())
  if (!found?.email || found.userId !== user.id) throw linkUsed()
  return { email: found.email }
}

function linkUsed(): Refusal {
  return new Refusal(
    'gone',
    'it was used already, is older than 15 minutes, or is for another account: change the address again',
  )
}
