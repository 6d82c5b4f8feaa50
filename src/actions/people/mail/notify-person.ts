import type { LinkWords } from '../../../core/people/mail-words.js'
import type { Clock } from '../../../lib/clock.js'
import { type MailDeps, sendMail } from './send-link.js'

/** What e-mails to people about their own accounts need. */
export interface NoticeDeps {
  clock: Clock
  /** Null if no e-mail can be sent. */
  mailer: MailDeps['mailer'] | null
  site: MailDeps['site']
  /** Called if the e-mail cannot be sent: nothing waits for it. */
  onError(error: unknown): void
}

/**
 * Sends a person an e-mail, to a proven address, about a change of their account. Does nothing
 * if no e-mail can be sent.
 */
export function notifyPerson(
  { mailer, site, onError }: NoticeDeps,
  to: string,
  words: Required<LinkWords>,
): void {
  if (!mailer) return
  sendMail({ mailer, site }, { to, ...words, url: `${site.root}/accounts/profile/` }).catch(onError)
}
