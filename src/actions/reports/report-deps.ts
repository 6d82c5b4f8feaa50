import type { Site } from '../../core/alerts/alert.js'
import type { Clock } from '../../lib/clock.js'
import type { Mailer } from '../../lib/mail/mailer.js'
import type { Store } from '../../storage/store.js'

/** What reports, reminders and the e-mails that wait to be sent work with. */
export interface ReportDeps {
  store: Store
  clock: Clock
  mailer: Mailer
  site: Site
  secretKey: string
  /** Names this process in the claims. */
  worker: string
  onError(error: unknown): void
  /** One line an attempt at a mail, for the log. */
  onMail(event: { kind: string; outcome: string; error?: string }): void
}
