import type { Alert, Notice } from '../../core/alerts/alert.js'
import { hookNotAt } from '../formats.js'
import { ANSWER_LABEL, type Answerable } from '../text/answer-link.js'
import {
  chatFacts,
  lead,
  markdownNotice,
  noticeText,
  noticeTitle,
  otherLines,
  outputExcerpt,
  quotedHeadline,
} from '../text/chat-text.js'
import { clip } from '../text/clip.js'
import { escapeChatMarkdown } from '../text/markup.js'
import { readerZone } from '../text/reader-zone.js'
import { webhookChat } from './webhook-chat.js'

const VALUE_CHARACTERS = 450

/**
 * Posts cards to a channel or chat of Microsoft Teams, through a workflow.
 * Sources: docs/behaviour.md, section 8.4; Adaptive Cards 1.2; Microsoft Teams, "CodeBlock in Adaptive Cards".
 */
export const msteamsw = webhookChat({
  kind: 'msteamsw',
  label: 'Microsoft Teams',
  category: 'chat',
  colour: '#4b53bc',
  popular: true,
  help:
    'Posts a card into a channel or chat of Microsoft Teams. You need the address of a workflow that starts when a ' +
    'webhook request is received.',
  guide: `
In Teams, open the menu of the channel or chat, **Workflows**, and choose the template *Send webhook alerts to a
channel* (or *chat*). Copy the address that Teams shows when it has created the workflow.`,
  logo:
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">' +
    '<circle cx="9" cy="8" r="3"/><circle cx="17" cy="9" r="2"/>' +
    '<path d="M3 19a6 6 0 0 1 12 0M15.5 14.5a4 4 0 0 1 5.5 4.5"/></svg>',
  enabled: { setting: 'MSTEAMS_ENABLED', name: 'MS Teams' },
  url: {
    format: hookNotAt(
      /(^|\.)(teams\.(microsoft|live)\.(com|us)|teams\.cloud\.microsoft|make\.powerautomate\.com)$/,
      'Enter the address that the workflow was given; this is the address of a page.',
    ),
  },
  alert: (alert, to) => message(alertCard(alert, readerZone(alert, to))),
  notice: notice => message(noticeCard(notice)),
})

function alertCard(alert: Alert, tz: string): object {
  const output = outputExcerpt(alert)
  const others = otherLines(alert, tz, '- ', escapeChatMarkdown)
  const facts = chatFacts(alert, tz).map(({ label, value }) => ({
    title: `${label}:`,
    value: escapeChatMarkdown(clip(value, VALUE_CHARACTERS)),
  }))
  const body = [
    ...paragraphs(lead(alert, tz)),
    { type: 'FactSet', facts },
    ...(output === ''
      ? []
      : [
          { type: 'TextBlock', text: 'Last ping body:', weight: 'bolder' },
          { type: 'CodeBlock', codeSnippet: output, language: 'PlainText' },
        ]),
    // Markdown needs an empty line before a list.
    ...(others.length === 0 ? [] : [text([others[0], others.slice(1).join('\n')].join('\n\n').trim())]),
  ]
  return card(quotedHeadline(alert), alert.site.name, alert.checkUrl, body, answerActions(alert))
}

function noticeCard(notice: Notice): object {
  const words = text(noticeText(notice, markdownNotice(escapeChatMarkdown)))
  return card(noticeTitle(notice), notice.site.name, notice.url, [words], answerActions(notice))
}

function answerActions({ acknowledgeUrl: url }: Answerable): object[] {
  return url === undefined ? [] : [{ type: 'Action.OpenUrl', title: ANSWER_LABEL, url }]
}

function card(heading: string, site: string, url: string, body: object[], actions: object[] = []): object {
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    fallbackText: escapeChatMarkdown(heading),
    version: '1.2',
    body: [
      { ...text(escapeChatMarkdown(heading)), weight: 'bolder', size: 'medium', style: 'heading' },
      ...body,
    ],
    actions: [{ type: 'Action.OpenUrl', title: `View in ${site}`, url }, ...actions],
  }
}

function message(content: object): object {
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }
  return { type: 'message', attachments: [attachment] }
}

function paragraphs(words: string): object[] {
  return words === '' ? [] : words.split('\n').map(text)
}

function text(words: string): object {
  return { type: 'TextBlock', text: words, wrap: true }
}
