/** Alerts by e-mail. Source: docs/behaviour.md, section 8.7. */
import { type Alert, checkLabel } from '../../core/alerts/alert.js'
import { dayWords } from '../../core/time/instant.js'
import { attachableMail } from '../../lib/mail/attachable-mail.js'
import type { Mail } from '../../lib/mail/mailer.js'
import { type AlertEmail, alertHtml, alertPlain } from '../../views/emails/alert.js'
import { noticeHtml, noticePlain } from '../../views/emails/notice.js'
import type { Destination, Integration } from '../integration.js'
import {
  cause,
  type Fact,
  facts,
  notes,
  otherChecks,
  outputTail,
  sinceFact,
  stateWords,
} from '../text/alert-text.js'
import { description, outputUrl } from '../text/chat-text.js'
import { dependencyFacts } from '../text/dependency-facts.js'
import { exitStatus } from '../text/down-reason.js'
import { readerZone } from '../text/reader-zone.js'

const OUTPUT_CHARACTERS = 10_000
const ATTACHED_BYTES = 1_000_000

export const email: Integration = {
  kind: 'email',
  label: 'E-mail',
  category: 'anything',
  popular: true,
  help:
    'Sends an e-mail when a check goes down, when it comes back up, or both. Each message has a link with ' +
    'which the recipient can stop them.',
  guide: `
Punctual disables the channel if the mail server says for an hour that the address does not exist, when it refuses e-mails or
when it returns them. An e-mail that is refused or returned for another reason, such as relaying that is not permitted, is
sent again.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round">' +
    '<path d="M3 5h18v14H3z"/><path d="m3 6 9 7 9-7"/></svg>',
  needs: ['EMAIL_HOST'],
  fields: [
    { name: 'value', label: 'Address', type: 'email', required: true, maxLength: 254 },
    { name: 'down', label: 'When a check goes down', type: 'flag', default: 'true', choosesAlerts: true },
    { name: 'up', label: 'When a check comes back up', type: 'flag', default: 'true', choosesAlerts: true },
  ],
  describe: settings => settings.value!,
  recipient: settings => settings.value!,
  wants: (settings, status) => settings[status] === 'true',
  groups: true,
  async send(alert, to, transports) {
    const props = alertProps(alert, to)
    const attached = lastPingEmail(alert)
    await transports.mail({
      ...frame(to),
      ...(to.thread === undefined ? {} : { thread: to.thread }),
      subject: subjectOf(alert),
      text: alertPlain(props),
      html: alertHtml(props),
      ...(attached ? { attachments: [attached] } : {}),
    })
  },
  async notify(notice, to, transports) {
    const props = {
      ...site(notice.site, to),
      title: notice.title,
      text: notice.text,
      items: notice.items ?? [],
      url: notice.url,
      status: notice.status,
      acknowledgeUrl: notice.acknowledgeUrl ?? '',
    }
    await transports.mail({
      ...frame(to),
      subject: notice.title,
      text: noticePlain(props),
      html: noticeHtml(props),
    })
  },
}

/** The parts that every message has: the address, IDs that identify duplicates and bounces, and unsubscribe headers. */
function frame(to: Destination): Pick<Mail, 'to' | 'id' | 'bounceId' | 'headers'> {
  return {
    to: to.settings.value!,
    id: to.idempotencyKey,
    ...(to.bounceId === undefined ? {} : { bounceId: to.bounceId }),
    headers: {
      // Source: RFC 8058 (one-click) and RFC 3834 (no automatic replies).
      'List-Unsubscribe': `<${to.unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  }
}

function site({ name, root }: Alert['site'], to: Destination) {
  return { siteName: name, siteRoot: root, unsubscribeUrl: to.unsubscribeUrl }
}

function alertProps(alert: Alert, to: Destination): AlertEmail {
  const tz = readerZone(alert, to)
  return {
    ...site(alert.site, to),
    status: alert.status,
    headline: `${checkLabel(alert.check)} is ${stateWords(alert)}`,
    cause: cause(alert, tz),
    notes: notes(alert, tz),
    checkUrl: alert.checkUrl,
    acknowledgeUrl: alert.acknowledgeUrl ?? '',
    description: description(alert),
    facts: emailFacts(alert, tz),
    output: output(alert),
    others: otherChecks(alert, tz),
  }
}

/** `DOWN | Backup, exit status 2`: filters of mail programs look for its beginning. */
function subjectOf(alert: Alert): string {
  const status = exitStatus(alert)
  const how = alert.status === 'down' && status !== null ? `, exit status ${status}` : ''
  return `${alert.status.toUpperCase()} | ${checkLabel(alert.check)}${how}`
}

/** The shared facts, in more detail than in chats. */
function emailFacts(alert: Alert, tz: string): Fact[] {
  const { lastPing, check } = alert
  return [sinceFact(alert, tz), ...facts(alert, tz), ...dependencyFacts(alert, tz)].flatMap(
    ({ label, value }): Fact[] => {
      if (label === 'Total pings')
        return [{ label, value: `${value} (since ${dayWords(check.createdAt, tz)})` }]
      if (label !== 'Last ping' || !lastPing) return [{ label, value }]
      const from = lastPing.remoteAddr ? `, from ${lastPing.remoteAddr}` : ''
      return [
        { label, value: `${value}${from}` },
        ...(lastPing.mail?.subject ? [{ label: 'Its subject', value: lastPing.mail.subject }] : []),
      ]
    },
  )
}

function output(alert: Alert): AlertEmail['output'] {
  const size = alert.lastPing?.body?.length ?? 0
  if (size === 0) return null
  if (lastPingEmail(alert)) return { text: '', note: 'See the attachment.', url: '' }
  const { text, cut } = outputTail(alert, OUTPUT_CHARACTERS)
  const note = cut ? `The last ${OUTPUT_CHARACTERS} characters of ${size} bytes.` : ''
  return { text, note, url: cut ? outputUrl(alert) : '' }
}

/**
 * The last ping as an attachment if it was an e-mail, because a mail client can display its parts. Omitted if it is large,
 * because mail servers would refuse the alert.
 */
function lastPingEmail({ lastPing }: Alert) {
  if (lastPing?.scheme !== 'email' || !lastPing.body?.length) return null
  if (lastPing.body.length > ATTACHED_BYTES) return null
  return { filename: 'last-ping.eml', contentType: 'message/rfc822', content: attachableMail(lastPing.body) }
}
