import type { Alert } from '../../core/alerts/alert.js'
import { escapeHtml } from '../../views/escape-html.js'
import { hookAt } from '../formats.js'
import { ANSWER_LABEL } from '../text/answer-link.js'
import {
  chatFacts,
  lead,
  noticeText,
  noticeTitle,
  otherLines,
  outputExcerpt,
  quotedHeadline,
  sentence,
} from '../text/chat-text.js'
import { webhookChat } from './webhook-chat.js'

/** Posts cards to a Google Chat space. Sources: docs/behaviour.md, section 8.4; Google Chat API, `Card`. */
export const googlechat = webhookChat({
  kind: 'googlechat',
  label: 'Google Chat',
  category: 'chat',
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
  alert: (alert, to) => ({ fallbackText: sentence(alert), ...card(widgetsOf(alert, to.timeZone ?? 'UTC')) }),
  notice: notice => ({
    fallbackText: noticeTitle(notice),
    ...card([
      paragraph(bold(noticeTitle(notice)), ...lines(noticeText(notice))),
      button(notice.site.name, notice.url, notice.acknowledgeUrl),
    ]),
  }),
})

function widgetsOf(alert: Alert, tz: string): object[] {
  const output = outputExcerpt(alert)
  const others = otherLines(alert, '- ', escapeHtml)
  return [
    paragraph(bold(quotedHeadline(alert)), ...lines(lead(alert, tz))),
    ...chatFacts(alert, tz).map(({ label, value }) => ({
      decoratedText: { topLabel: label, text: escapeHtml(value), wrapText: true },
    })),
    ...(output === '' ? [] : [paragraph(bold('Last Ping Body'), ...lines(output))]),
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
