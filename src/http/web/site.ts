import type { HandOverDeps } from '../../actions/people/hand-over-account.js'
import type { BackgroundMailDeps } from '../../actions/people/mail/send-link.js'
import { Refusal } from '../../core/errors.js'
import type { Store } from '../../storage/store.js'
import type { AppConfig } from '../deps.js'
import type { WebContext } from './context.js'

/** The name and address of this installation in e-mails. */
export function siteOf(config: AppConfig): BackgroundMailDeps['site'] {
  return { name: config.SITE_NAME, root: config.SITE_ROOT }
}

/** The mailer. Routes that need it do not exist if the installation sends no e-mail. */
export function mailDeps(c: WebContext): BackgroundMailDeps {
  const { store, clock, mailer, config, onError } = c.var.deps
  if (!mailer) throw new Refusal('not-found', 'this installation cannot send e-mail')
  return { store, clock, mailer, site: siteOf(config), onError }
}

/** What notices to users need. Without a mailer no notices are sent. */
export function noticeDeps(c: WebContext): HandOverDeps & { store: Store } {
  const { store, changes, clock, mailer, config, onError } = c.var.deps
  return { store, changes, clock, mailer, site: siteOf(config), onError }
}
