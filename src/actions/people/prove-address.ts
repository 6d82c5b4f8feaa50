/**
 * Whose an account is: the person's who proves that they read the mail of its address. This is proof:
 * - a link that was mailed to the address: to sign up, to sign in, to accept an invitation, to change the address,
 * - the word of the OpenID Connect provider that it has verified the address, and that of the proxy that signs people in,
 * - the word of the operator, who makes the first account and those of `punctual user create`.
 *
 * An account whose address nobody has proven only names it. It works, but no e-mail goes to the address unasked, and
 * it ends for whoever made it when somebody else proves the address. Source: decision 0105.
 */

import { handedOverNotice } from '../../core/people/security-notices.js'
import type { Changes } from '../../lib/changes.js'
import type { StoreWith } from '../../storage/store.js'
import type { NoticeDeps } from './mail/notify-person.js'
import { notifyPerson } from './mail/notify-person.js'

/** What an account is handed over with. */
export type HandOverDeps = NoticeDeps & {
  store: StoreWith<'people.handOverAccount'>
  changes: Pick<Changes, 'emit'>
}

/**
 * To be called when a person has proved, from outside of a session, that they read the mail of the address of an
 * account. Where nobody had proved that before, every credential of the account ends, and the person is told. Returns
 * whether the person has to review the account: a credential has ended, or others have access to its projects.
 */
export async function handOverAccount(
  deps: HandOverDeps,
  user: { id: number; email: string },
): Promise<boolean> {
  const now = deps.clock.now()
  const ended = await deps.store.people.handOverAccount({ userId: user.id, email: user.email, now })
  if (!ended) return false
  deps.changes.emit('access', {})
  const any = ended.password || ended.app || ended.passkeys + ended.identities + ended.sessions > 0
  if (any) notifyPerson(deps, user.email, handedOverNotice(deps.site))
  return any || ended.othersAccess > 0
}
