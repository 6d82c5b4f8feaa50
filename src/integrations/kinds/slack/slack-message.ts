/**
 * A message in Slack's format, as an attachment with fields. Mattermost and Discord also accept it.
 * Source: docs/behaviour.md, section 8.4; Slack, "Secondary message attachments".
 */

import type { Alert, Notice, Site } from '../../../core/alerts/alert.js'
import { tagList } from '../../../core/checks/check.js'
import { oneLine } from '../../../core/text/clean-text.js'
import { assetPath } from '../../../lib/assets.js'
import { ANSWER_LABEL, type Answerable, answerLine, withAnswerLink } from '../../text/answer-link.js'
import {
  chatFacts,
  fence,
  lead,
  leadWithLink,
  markdownNotice,
  type NoticeStyle,
  noticeText,
  noticeTitle,
  otherLines,
  outputExcerpt,
  outputWithin,
  quotedHeadline,
  sentence,
} from '../../text/chat-text.js'
import { clip, clipMiddle, joinLinesWithin } from '../../text/clip.js'

/** How a chat's dialect escapes users' texts. */
export interface Dialect {
  /** Escapes markup and mentions. */
  text(text: string): string
  /** Escapes a text in places without markup but perhaps with mentions: titles and notifications. */
  plain(text: string): string
  /** Escapes a text in a code block; by default unchanged. */
  code?(text: string): string
  /** How it formats notices; by default with links as Markdown has them. */
  notice?: NoticeStyle
  /** Whether the chat shows buttons that open links; elsewhere the link is in the text. */
  buttons?: boolean
}

export interface MessageField {
  title: string
  value: string
  short?: boolean
}

/** Values of a field are cut to this length. Discord's limit is 1024. */
const VALUE_CHARACTERS = 450
const OUTPUT_CHARACTERS = 900
const SHORT_CHARACTERS = 50
const FIELD_CHARACTERS = 1000
/** The text of an attachment is cut to this length. Discord's limit is 4096. */
const TEXT_CHARACTERS = 4000
/** Discord's limit. */
const TITLE_CHARACTERS = 256
const COLORS = { up: 'good', down: 'danger' }

/** An alert as `{username, icon_url, attachments}`. */
export function slackMessage(alert: Alert, tz: string, dialect: Dialect): object {
  return message(alert.site, {
    color: COLORS[alert.status],
    fallback: fallbackOf(dialect.plain(sentence(alert)), alert, dialect),
    mrkdwn_in: ['fields'],
    title: plainWithin(quotedHeadline(alert), dialect),
    title_link: alert.checkUrl,
    text: (dialect.buttons ? lead(alert, tz) : leadWithLink(alert, tz)) || null,
    ...(dialect.buttons && linkButton(alert)),
    fields: messageFields(alert, tz, dialect),
  })
}

/** A notice in the same format. */
export function slackNotice(notice: Notice, dialect: Dialect): object {
  const title = plainWithin(noticeTitle(notice), dialect)
  const link = dialect.buttons ? '' : withAnswerLink('', notice)
  const lines = noticeText(notice, dialect.notice ?? markdownNotice(dialect.text)).split('\n')
  const text = joinLinesWithin(lines, TEXT_CHARACTERS - link.length)
  return message(notice.site, {
    color: notice.status ? COLORS[notice.status] : 'warning',
    fallback: fallbackOf(title, notice, dialect),
    mrkdwn_in: ['text'],
    title,
    title_link: notice.url,
    text: [text, link].filter(part => part !== '').join('\n'),
    ...(dialect.buttons && linkButton(notice)),
  })
}

/**
 * A button that opens a page. Slack calls nobody for such a button of an attachment, so it needs no app that Slack can
 * call, as one in a block does. Source: Slack, "Link buttons".
 */
function linkButton({ acknowledgeUrl: url }: Answerable): object {
  return url === undefined ? {} : { actions: [{ type: 'button', text: ANSWER_LABEL, url }] }
}

/** The text for clients that show no attachments: it names the address of the button, too. */
function fallbackOf(text: string, about: Answerable, { buttons }: Dialect): string {
  return buttons && about.acknowledgeUrl !== undefined ? `${text} ${answerLine(about)}` : text
}

/** A title as the chat shows it, escaped, and cut in its middle if it is long. */
function plainWithin(text: string, { plain }: Dialect): string {
  for (let max = TITLE_CHARACTERS; ; max -= 8) {
    const shown = plain(clipMiddle(text, max))
    if (shown.length <= TITLE_CHARACTERS) return shown
  }
}

/** The facts about the check, its output and the state of the other checks as fields. */
export function messageFields(
  alert: Alert,
  tz: string,
  dialect: Dialect,
  output = outputField(alert, dialect),
): MessageField[] {
  const known = chatFacts(alert, tz).map(({ label, value }): MessageField => {
    const shown = clip(value, VALUE_CHARACTERS)
    if (label === 'Tags') return { title: label, value: tags(alert, dialect), short: true }
    const short = label !== 'Description' && shown.length <= SHORT_CHARACTERS
    return { title: label, value: dialect.text(shown), ...(short ? { short } : {}) }
  })
  if (output !== null) known.push({ title: 'Last ping body', value: output })
  const others = otherLines(alert, tz, '- ', dialect.text)
  if (others.length > 0)
    known.push({ title: 'Other checks', value: joinLinesWithin(others, FIELD_CHARACTERS) })
  return known
}

/** The end of the last ping's body as a code block; null if there is none. */
export function outputField(alert: Alert, { code = text => text }: Dialect): string | null {
  const render = (text: string) => fence(code(text)) ?? ''
  return render(outputWithin(outputExcerpt(alert, OUTPUT_CHARACTERS), FIELD_CHARACTERS, render)) || null
}

/** The address of the logo that chats show next to a message. */
export function logoUrl({ root }: Site): string {
  return root + assetPath('img/logo.png')
}

function message(site: Site, attachment: object): object {
  return { username: site.name, icon_url: logoUrl(site), attachments: [attachment] }
}

function tags({ check }: Alert, dialect: Dialect): string {
  const plain = tagList(check.tags).map(tag => oneLine(tag).replaceAll('`', "'"))
  return clip(plain.map(tag => `\`${dialect.plain(tag)}\``).join(' '), VALUE_CHARACTERS)
}
