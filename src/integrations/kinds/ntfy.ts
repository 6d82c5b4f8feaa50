/** Sends push messages through ntfy. Sources: docs/behaviour.md, section 8.4; ntfy, "Publish as JSON". */
import type { Alert, Notice } from '../../core/alerts/alert.js'
import { Refusal } from '../../core/errors.js'
import { secretWord, serverAddress } from '../formats.js'
import { expectOk } from '../http/expect-ok.js'
import { postJson } from '../http/post-json.js'
import type { Destination, Integration } from '../integration.js'
import { priorityFields, priorityOf, wantsByPriority } from '../switches.js'
import { ANSWER_LABEL } from '../text/answer-link.js'
import {
  markdownNotice,
  markdownStyle,
  messageText,
  noticeTitle,
  noticeWithLinks,
  title,
} from '../text/chat-text.js'
import { cutBytes, disableMentions } from '../text/markup.js'
import { readerZone } from '../text/reader-zone.js'
import type { Transports } from '../transports.js'

const PUBLIC_SERVER = 'https://ntfy.sh'

/** ntfy turns messages over 4096 bytes into attachments. */
const MESSAGE_BYTES = 4000
const NOTICE_PRIORITY = 3
const TAGS = { up: 'green_circle', down: 'red_circle' }

/** Source: ntfy, "Message priority". */
const PRIORITIES = new Map([
  ['5', 'urgent'],
  ['4', 'high'],
  ['3', 'default'],
  ['2', 'low'],
  ['1', 'least'],
  ['0', 'off: nothing is sent'],
])

export const ntfy: Integration = {
  kind: 'ntfy',
  label: 'ntfy',
  category: 'device',
  colour: '#2b7a6b',
  popular: true,
  help:
    'Sends a push message to the phones and computers that follow a topic, through ntfy.sh or an ntfy server of your ' +
    'own. You need the name of the topic, and an access token where the topic is protected.',
  guide: `
Priorities range from 1 (least urgent) to 5 (most urgent); 0 sends nothing in that direction. On the public server,
anyone who knows the name of a topic can read it. Choose a name that is hard to guess, or reserve the topic and use a
token.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round">' +
    '<path d="M8 3h8v18H8z"/><path d="M11 17.5h2M4 9v6M20 9v6" stroke-linecap="round"/></svg>',
  fields: [
    { name: 'topic', label: 'Topic', type: 'text', required: true, maxLength: 64 },
    {
      name: 'url',
      label: 'Server',
      type: 'url',
      default: PUBLIC_SERVER,
      maxLength: 1000,
      format: serverAddress,
    },
    {
      name: 'token',
      label: 'Access token',
      type: 'text',
      sensitive: true,
      maxLength: 100,
      format: secretWord,
    },
    ...priorityFields(PRIORITIES, '3'),
  ],
  operatorSettings: [
    {
      name: 'NTFY_SH_TOKEN',
      secret: true,
      help: 'The access token for `https://ntfy.sh`, used for channels without their own.',
    },
  ],
  check(settings) {
    // The characters that ntfy allows. Without this, an address pasted here would be sent to the public server.
    if (!/^[-_A-Za-z0-9]{1,64}$/.test(settings.topic!)) {
      const sentence =
        'Enter the name of the topic alone: letters, digits, - and _. The server has a field of its own.'
      throw new Refusal('invalid', sentence, 'topic')
    }
    // With the topic in the address, ntfy would display the message as raw JSON.
    const { host, pathname } = new URL(settings.url!)
    const path = pathname.replace(/\/+$/, '')
    if ((host === 'ntfy.sh' && path !== '') || path.endsWith(`/${settings.topic}`)) {
      throw new Refusal('invalid', 'Enter the address of the server alone, without the topic.', 'url')
    }
    return settings
  },
  describe: ({ topic, url }) => (url === PUBLIC_SERVER ? topic! : `${topic} at ${new URL(url!).host}`),
  wants: wantsByPriority,
  groups: true,
  limit: { perMinute: 6, key: ({ url, topic }) => `${url} ${topic}` },
  async send(alert, to, transports) {
    await publish(to, transports, {
      priority: priorityOf(to, alert.status),
      title: title(alert),
      message: cutBytes(
        messageText(alert, readerZone(alert, to), markdownStyle(disableMentions)),
        MESSAGE_BYTES,
      ),
      tags: [TAGS[alert.status]],
      actions: viewActions(alert, alert.checkUrl),
    })
  },
  async notify(notice, to, transports) {
    await publish(to, transports, {
      priority: notice.status ? priorityOf(to, notice.status) : NOTICE_PRIORITY,
      title: noticeTitle(notice),
      message: cutBytes(noticeWithLinks(notice, markdownNotice(disableMentions)), MESSAGE_BYTES),
      tags: [notice.status ? TAGS[notice.status] : 'warning'],
      actions: viewActions(notice, notice.url),
    })
  },
}

/** Buttons, which are shown even where the message is cut. */
function viewActions({ site, acknowledgeUrl }: Alert | Notice, url: string): object[] {
  const actions = [{ action: 'view', label: `View on ${site.name}`, url }]
  if (acknowledgeUrl !== undefined) actions.push({ action: 'view', label: ANSWER_LABEL, url: acknowledgeUrl })
  return actions
}

async function publish(
  { settings, operator }: Destination,
  transports: Transports,
  message: object,
): Promise<void> {
  const url = settings.url!
  const token = settings.token || (url === PUBLIC_SERVER ? operator.NTFY_SH_TOKEN : '')
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
  expectOk(
    await transports.http(postJson(url, { topic: settings.topic, ...message, markdown: true }, headers)),
  )
}
