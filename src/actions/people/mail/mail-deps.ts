import type { Clock } from '../../../lib/clock.js'
import type { Mailer } from '../../../lib/mail/mailer.js'
import type { Store } from '../../../storage/store.js'

/** What the actions work with that send a person an e-mail. */
export interface MailDeps {
  store: Store
  clock: Clock
  mailer: Mailer
  site: { name: string; root: string }
}
