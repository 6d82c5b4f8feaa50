/**
 * An account belongs to the person who proves that they read the mail of its address. This is proof:
 * - a link that was mailed to the address: to sign up, to sign in, to accept an invitation, to change the address,
 * - the statement of the OpenID Connect provider, or of the proxy that signs people in, that the address is verified,
 * - the statement of the operator, who creates the first account and those of `punctual user create`, and hands over a
 *   link to sign in,
 * - an account in a database of Healthchecks that the operator imports: it let people in only by a link that it sent them.
 *
 * An account with an unproven address works, but Punctual sends that address no e-mail unless asked to. If another
 * person proves the address, every credential of the account ends. Source: decision 0105.
 */

import { handedOverNotice } from '../../core/people/security-notices.js'
import type { Changes } from '../../lib/changes.js'
import { hasEnded } from '../../storage/people/prove-address.js'
import type { StoreWith } from '../../storage/store.js'
import type { NoticeDeps } from './mail/notify-person.js'
import { notifyPerson } from './mail/notify-person.js'

/** What handing over an account needs. */
export type HandOverDeps = NoticeDeps & {
  store: StoreWith<'people.handOverAccount'>
  changes: Pick<Changes, 'emit'>
}

/**
 * Call this when a person has proven, from outside a session, that they read the mail of an account's address. If
 * nobody had proven it before, every credential of the account ends and the person is notified. Returns whether the
 * person has to review the account: a credential ended, others have access to its projects, or it is in projects of others.
 */
export async function handOverAccount(
  deps: HandOverDeps,
  user: { id: number; email: string },
): Promise<boolean> {
  const now = deps.clock.now()
  const ended = await deps.store.people.handOverAccount({ userId: user.id, email: user.email, now })
  if (!ended) return false
  deps.changes.emit('access', {})
  const any = hasEnded(ended)
  if (any) notifyPerson(deps, user.email, handedOverNotice(deps.site))
  return any || ended.toReview > 0
}
