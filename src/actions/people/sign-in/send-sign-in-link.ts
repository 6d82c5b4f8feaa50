import { addressOrNull } from '../../../core/people/email-address.js'
import { knownAddressWords, type LinkWords, signInWords } from '../../../core/people/mail-words.js'
import type { User } from '../../../storage/people/users.js'
import { type BackgroundMailDeps, type LinkRequest, type MailDeps, sendLink } from '../mail/send-link.js'
import { accountKey, isWithinLimits, limitAttempts } from './limit-attempts.js'

/** How long a sign-in link works. */
export const SIGN_IN_LINK_SECONDS = 900

/**
 * Sends a sign-in link to the account with this address, if there is one. The e-mail is sent in the background, so
 * that the response time does not reveal whether the account exists; `onError` receives its errors. Throws a
 * `Refusal` above the limits of a network. Above the limits of the account nothing is sent, and the newest link that
 * was sent works in the browser that asked, so that strangers lock nobody out.
 */
export async function sendSignInLink(
  deps: BackgroundMailDeps,
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

/** Counts only links that are mailed; this too happens in the background. */
async function sendWithinLimits(deps: MailDeps, user: User, browser: string): Promise<void> {
  if (!(await isWithinLimits(deps.store, deps.clock, { linksTo: String(user.id) }))) return
  await sendLinkToUser(deps, user, { ...signInWords(deps.site, user.email), browser })
}

/**
 * Sends a link to an address that somebody has typed. If the address has an account, sends a sign-in link with an
 * explanation instead. The e-mail is sent in the background, so that neither the response time nor a mail server that
 * refuses it reveals whether there is an account.
 */
export function sendLinkToAddress(
  deps: BackgroundMailDeps,
  request: LinkRequest & { browser: string },
): void {
  sendSuitableLink(deps, request).catch(deps.onError)
}

async function sendSuitableLink(deps: MailDeps, request: LinkRequest & { browser: string }): Promise<void> {
  const user = await deps.store.people.findUser(request.to)
  if (!user) return await sendLink(deps, request)
  await sendLinkToUser(deps, user, { ...knownAddressWords(deps.site, user.email), browser: request.browser })
}

/**
 * Sends a person a link that signs in to their account, with these words around it, for the browser that asked. Sends
 * nothing to a disabled account, which the link would not open.
 */
async function sendLinkToUser(
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
