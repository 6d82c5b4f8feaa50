import type { Alert } from '../../core/alerts/alert.js'
import { escapeHtml } from '../../views/escape-html.js'
import { hookAt } from '../formats.js'
import type { Destination } from '../integration.js'
import { ANSWER_LABEL } from '../text/answer-link.js'
import {
  chatFacts,
  htmlNotice,
  lead,
  noticeText,
  noticeTitle,
  otherLines,
  outputExcerpt,
  quotedHeadline,
  sentence,
} from '../text/chat-text.js'
import { clip } from '../text/clip.js'
import { readerZone } from '../text/reader-zone.js'
import { webhookChat } from './webhook-chat.js'

/** Cards may have 32 kB. */
const VALUE_CHARACTERS = 1000

/** Posts cards to a Google Chat space. Sources: docs/behaviour.md, section 8.4; Google Chat API, `Card`. */
export const googlechat = webhookChat({
  kind: 'googlechat',
  label: 'Google Chat',
  category: 'chat',
  colour: '#00832d',
  help: 'Posts a card into a space of Google Chat. You need the address of a webhook of the space.',
  guide: `
In Google Chat, open the space's menu, **Apps & integrations → Webhooks → Add webhook**, enter a name, and copy the
address. Webhooks are available in Google Workspace, but not in personal accounts.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round">' +
    '<path d="M4 4h16v13h-9l-4 4v-4H4z"/><path d="M8 9h8M8 12.5h5" stroke-linecap="round"/></svg>',
  url: {
    help: 'Such as `https://chat.googleapis.com/v1/spaces/…`.',
    format: hookAt(
      /^((chat|hangouts|mail)\.google|chat\.googleapis)\.com$/,
      /^chat\.googleapis\.com\/v\d\w*\/spaces\/[^/]+\/messages\?(?=.*\bkey=.)(?=.*\btoken=.)/,
      'Enter the whole address of a webhook, which begins with https://chat.googleapis.com/v1/spaces/ and has a key ' +
        'and a token.',
    ),
  },
  address: threadedAddress,
  alert: (alert, to) => ({
    ...(to.thread === undefined ? {} : { thread: { threadKey: to.thread } }),
    fallbackText: sentence(alert),
    ...card(widgetsOf(alert, readerZone(alert, to))),
  }),
  notice: notice => ({
    fallbackText: noticeTitle(notice),
    ...card([
      paragraph(bold(noticeTitle(notice)), ...noticeText(notice, htmlNotice).split('\n')),
      button(notice.site.name, notice.url, notice.acknowledgeUrl),
    ]),
  }),
})

/** All messages about one incident are in one thread. Source: Google Chat API, "Start or reply to a message thread". */
function threadedAddress(pasted: string, { thread }: Destination): string {
  const url = new URL(pasted)
  if (thread !== undefined) url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
  return url.href
}

function widgetsOf(alert: Alert, tz: string): object[] {
  const output = outputExcerpt(alert)
  const others = otherLines(alert, tz, '- ', escapeHtml)
  return [
    paragraph(bold(quotedHeadline(alert)), ...lines(lead(alert, tz))),
    ...chatFacts(alert, tz).map(({ label, value }) => ({
      decoratedText: { topLabel: label, text: escapeHtml(clip(value, VALUE_CHARACTERS)), wrapText: true },
    })),
    ...(output === '' ? [] : [paragraph(bold('Last ping body'), ...lines(output))]),
    ...(others.length === 0 ? [] : [paragraph(...others)]),
    button(alert.site.name, alert.checkUrl, alert.acknowledgeUrl),
  ]
}

/** A card that shows its first widget, with the others collapsed. */
function card(widgets: object[]): object {
  const sections = [{ collapsible: widgets.length > 2, uncollapsibleWidgetsCount: 1, widgets }]
  return { cardsV2: [{ card: { sections } }] }
}

function paragraph(...parts: string[]): object {
  return { textParagraph: { text: parts.join('<br>') } }
}

function button(site: string, url: string, acknowledgeUrl?: string): object {
  const buttons = [openLink(`View in ${site}`, url)]
  if (acknowledgeUrl !== undefined) buttons.push(openLink(ANSWER_LABEL, acknowledgeUrl))
  return { buttonList: { buttons } }
}

function openLink(text: string, url: string): object {
  return { text, onClick: { openLink: { url } } }
}

function bold(text: string): string {
  return `<b>${escapeHtml(text)}</b>`
}

function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n').map(escapeHtml)
}
