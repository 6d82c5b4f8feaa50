import { notifyPerson } from '../../actions/people/mail/notify-person.js'
import type { LinkWords } from '../../core/people/mail-words.js'
import type { WebContext } from './context.js'
import { noticeDeps } from './site.js'

/** Notifies a user by e-mail of a change to the account, if the address is proven. */
export function notify(
  c: WebContext,
  user: { email: string; emailProven: boolean },
  words: (site: { name: string; root: string }) => Required<LinkWords>,
): void {
  const deps = noticeDeps(c)
  if (user.emailProven) notifyPerson(deps, user.email, words(deps.site))
}
