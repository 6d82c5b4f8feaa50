import type { Site } from '../../core/alerts/alert.js'
import type { Webhook } from '../../core/events/webhook.js'
import type { QueuedMail } from '../../storage/people/mails.js'
import { noticeHtml, noticePlain } from '../../views/emails/notice.js'

/** The e-mail to the owner and the managers of a project whose event webhook was disabled. */
export function composeWebhookDisabled(site: Site, { name, url }: Webhook, error: string): QueuedMail {
  const words = {
    url: site.root,
    title: `The event webhook “${name}” was disabled`,
    text: `It failed for three days. It is at ${new URL(url).host}. The last error: ${error}. Events wait until it is enabled again.`,
  }
  const props = { siteName: site.name, siteRoot: site.root, unsubscribeUrl: null, ...words, items: [] }
  const text = noticePlain(props)
  return { kind: 'notice', subject: words.title, text, html: noticeHtml(props), unsubscribeUrl: '' }
}
