import type { LinkWords } from '../../../core/people/mail-words.js'
import type { Clock } from '../../../lib/clock.js'
import type { MailDeps } from './mail-deps.js'
import { sendMail } from './send-link.js'

/** What people are told by e-mail of their own accounts with. */
export interface NoticeDeps {
  clock: Clock
  /** Null where no e-mail goes out. */
  mailer: MailDeps['mailer'] | null
  site: MailDeps['site']
  /** Hears of a mail that could not be sent: nobody waits for it. */
  onError(error: unknown): void
}

/** Tells a person at a proven address what happened to their account. Where no e-mail goes out nothing is sent. */
export function notifyPerson(
  { mailer, site, onError }: NoticeDeps,
  to: string,
  words: Required<LinkWords>,
): void {
  if (!mailer) return
  sendMail({ mailer, site }, { to, ...words, url: `${site.root}/accounts/profile/` }).catch(onError)
}
