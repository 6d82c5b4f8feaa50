import { Refusal } from '../../../core/errors.js'
import type { LinkWords } from '../../../core/people/mail-words.js'
import { periodWords } from '../../../core/time/duration.js'
import type { Clock } from '../../../lib/clock.js'
import type { Mailer } from '../../../lib/mail/mailer.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import type { OwnSession } from '../../../storage/people/lock-account.js'
import type { TokenPurpose } from '../../../storage/people/tokens.js'
import type { Store } from '../../../storage/store.js'
import { linkHtml, linkPlain } from '../../../views/emails/link.js'

/** What actions that send e-mail need. */
export interface MailDeps {
  store: Store
  clock: Clock
  mailer: Mailer
  site: { name: string; root: string }
}

/** What e-mails need that are sent in the background. */
export interface BackgroundMailDeps extends MailDeps {
  /** Called if the e-mail cannot be sent: nothing waits for it. */
  onError(error: unknown): void
}

/** An e-mail around one link that works once. */
export interface LinkRequest extends LinkWords {
  purpose: TokenPurpose
  to: string
  userId: number | null
  /** The address that the link confirms, or null. */
  confirms: string | null
  /** The path of the page that the link opens, without the token that follows. */
  path: string
  lastsSeconds: number
  /** The digest of a secret of the only browser in which the link works; absent: it works in any browser. */
  browser?: string | undefined
  /** The digest of the invitation that the link belongs to. */
  invitation?: string | undefined
  /** The session that asks for it; absent: nobody has to be signed in. */
  asker?: OwnSession | undefined
}

/**
 * Creates a link and sends it. Throws `Refusal('unavailable')` if the mail server refuses the e-mail, and `unauthorized` if the session that
 * asks has ended.
 */
export async function sendLink(deps: MailDeps, request: LinkRequest): Promise<void> {
  const token = newToken()
  await deps.store.people.replaceToken({
    digest: digestOf(token),
    purpose: request.purpose,
    userId: request.userId,
    email: request.confirms,
    expiresAt: deps.clock.now() + request.lastsSeconds * 1000,
    browser: request.browser ?? null,
    invitation: request.invitation,
    asker: request.asker,
  })
  await sendMail(deps, {
    ...request,
    url: `${deps.site.root}${request.path}${token}/`,
    note: request.note ?? linkNote(request.lastsSeconds),
  })
}

/** The default note under a link. */
export function linkNote(lastsSeconds: number): string {
  return `The link works once, within ${periodWords(lastsSeconds)}. If you did not ask for it, ignore this message.`
}

/** The text and the HTML of an e-mail that contains a link. */
export function linkContents(
  site: MailDeps['site'],
  mail: { subject: string; text: string; label: string; url: string; note: string },
): { text: string; html: string } {
  const props = { siteName: site.name, siteRoot: site.root, title: mail.subject, ...mail }
  return { text: linkPlain(props), html: linkHtml(props) }
}

/** Sends an e-mail that contains a link. Throws as {@link sendLink} does. */
export async function sendMail(
  { mailer, site }: Pick<MailDeps, 'mailer' | 'site'>,
  mail: { to: string; subject: string; text: string; label: string; url: string; note: string },
): Promise<void> {
  try {
    await mailer.send({ to: mail.to, subject: mail.subject, ...linkContents(site, mail) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal('unavailable', `the e-mail could not be sent: ${reason}`)
  }
}
