import type { Alert } from '../../core/alerts/alert.js'
import { plural } from '../../core/text/plural.js'
import { addressThat } from '../formats.js'
import { withAnswerLink } from '../text/answer-link.js'
import { leadWithLink, markdownNotice, noticeText, noticeTitle, quotedHeadline } from '../text/chat-text.js'
import { disableMentions, escapeRocketChat } from '../text/markup.js'
import { readerZone } from '../text/reader-zone.js'
import { type Dialect, logoUrl, messageFields, outputField } from './slack/slack-message.js'
import { webhookChat } from './webhook-chat.js'

const COLORS = { up: '#5cb85c', down: '#d9534f', notice: '#f0ad4e' }

const dialect: Dialect = { text: escapeRocketChat, plain: disableMentions }

/** Posts messages to a Rocket.Chat room. Source: docs/behaviour.md, section 8.4. */
export const rocketchat = webhookChat({
  kind: 'rocketchat',
  label: 'Rocket.Chat',
  category: 'chat',
  colour: '#c41e2c',
  help: 'Posts a message into a room of your Rocket.Chat server. You need the address of an incoming webhook.',
  guide: `
In Rocket.Chat, open **Administration → Workspace → Integrations → New → Incoming**, choose the room and the user that
posts, enable the integration without a script, save it, and copy the webhook URL.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round">' +
    '<path d="M12 3c3 2 4.5 5 4.5 9l2 3v4l-4-2h-5l-4 2v-4l2-3C7.5 8 9 5 12 3z"/><circle cx="12" cy="10" r="1.5"/></svg>',
  enabled: { setting: 'ROCKETCHAT_ENABLED', name: 'Rocket.Chat' },
  url: {
    help: 'Such as `https://chat.example.org/hooks/…`.',
    format: addressThat(
      ({ pathname }) => !/\/(channel|group|direct|admin)\//.test(pathname),
      'Enter the address of an incoming webhook, such as https://chat.example.org/hooks/….',
    ),
  },
  alert: (alert, to) => ({
    alias: alert.site.name,
    avatar: logoUrl(alert.site),
    text: textOf(alert, readerZone(alert, to)),
    attachments: [
      {
        color: COLORS[alert.status],
        fields: messageFields(alert, readerZone(alert, to), dialect, outputOf(alert)),
      },
    ],
  }),
  notice: notice => ({
    alias: notice.site.name,
    avatar: logoUrl(notice.site),
    text: `[${escapeRocketChat(noticeTitle(notice))}](${notice.url})`,
    attachments: [
      {
        color: COLORS[notice.status ?? 'notice'],
        text: withAnswerLink(noticeText(notice, markdownNotice(escapeRocketChat)), notice),
      },
    ],
  }),
})

function textOf(alert: Alert, tz: string): string {
  const title = `[${escapeRocketChat(quotedHeadline(alert))}](${alert.checkUrl})`
  return [title, leadWithLink(alert, tz)].filter(text => text !== '').join('\n')
}

/** The length of the last body, a link to it, and its end; null if there is none. */
function outputOf(alert: Alert): string | null {
  const { lastPing } = alert
  const size = lastPing?.body?.length ?? 0
  if (!lastPing || size === 0) return null
  const words = `${plural(size, 'byte')}, [show body](${alert.checkUrl}#ping-${lastPing.n})`
  return [words, outputField(alert, dialect)].filter(text => text !== null).join('\n')
}
