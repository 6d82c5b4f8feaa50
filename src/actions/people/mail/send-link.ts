import { Refusal } from '../../../core/errors.js'
import type { LinkWords } from '../../../core/people/mail-words.js'
import { periodWords } from '../../../core/time/duration.js'
import { digestOf, newToken } from '../../../lib/secrets/secrets.js'
import type { TokenPurpose } from '../../../storage/people/tokens.js'
import { linkHtml, linkPlain } from '../../../views/emails/link.js'
import type { MailDeps } from './mail-deps.js'

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
  /** The digest of a secret of the only browser that it is good in; left out: any. */
  browser?: string | undefined
  /** The digest of the invitation that it belongs to. */
  invitation?: string | undefined
}

/** Makes a link and sends it. Throws `Refusal('unavailable')` when the mail server does not take it. */
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
  })
  await sendMail(deps, {
    ...request,
    url: `${deps.site.root}${request.path}${token}/`,
    note: request.note ?? linkNote(request.lastsSeconds),
  })
}

/** What is said of a link by default. */
export function linkNote(lastsSeconds: number): string {
  return `The link works once, within ${periodWords(lastsSeconds)}. If you did not ask for it, ignore this message.`
}

/** Sends an e-mail around a link. Throws as above. */
export async function sendMail(
  { mailer, site }: Pick<MailDeps, 'mailer' | 'site'>,
  mail: { to: string; subject: string; text: string; label: string; url: string; note: string },
): Promise<void> {
  const props = { siteName: site.name, siteRoot: site.root, title: mail.subject, ...mail }
  try {
    await mailer.send({ to: mail.to, subject: mail.subject, text: linkPlain(props), html: linkHtml(props) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal('unavailable', `the e-mail could not be sent: ${reason}`)
  }
}
