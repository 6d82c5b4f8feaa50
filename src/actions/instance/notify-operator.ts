import type { Mailer } from '../../lib/mail/mailer.js'
import { noticeHtml, noticePlain } from '../../views/emails/notice.js'

export interface OperatorNotice {
  title: string
  text: string
}

/** Sends the operator one e-mail at `to`. Throws `MailError`, or the signal's reason when it is aborted. */
export async function notifyOperator(
  { mailer, site }: { mailer: Mailer; site: { name: string; root: string } },
  to: string,
  notice: OperatorNotice,
  signal?: AbortSignal,
): Promise<void> {
  const email = {
    ...notice,
    siteName: site.name,
    siteRoot: site.root,
    unsubscribeUrl: null,
    url: site.root,
  }
  const mail = { to, subject: notice.title, text: noticePlain(email), html: noticeHtml(email) }
  await mailer.send(mail, signal, { once: true })
}
