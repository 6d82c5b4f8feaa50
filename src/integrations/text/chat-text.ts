/**
 * Texts for chats and phones, besides those of alert-text.ts: short headings, facts, and the end of the output. They are
 * plain texts, which each kind escapes and formats. Source: docs/behaviour.md, section 8.3.
 */
import { type Alert, checkLabel, type Notice, readableText } from '../../core/alerts/alert.js'
import { cleanLines, oneLine } from '../../core/text/clean-text.js'
import { escapeHtml } from '../../views/escape-html.js'
import { cause, type Fact, facts, notes, otherChecks, stateWords } from './alert-text.js'
import { answerLine, withAnswerLink } from './answer-link.js'
import { clip, endWithin } from './clip.js'
import { dependencyFacts } from './dependency-facts.js'

const OUTPUT_CHARACTERS = 1000
/** Only the end of a body is processed, because bodies may be of any length. */
const OUTPUT_LENGTH = 16_384
const NAME_CHARACTERS = 150
const VALUE_CHARACTERS = 450
const DESCRIPTION_CHARACTERS = 10_000

/** The name of the check in one line, short enough for every title. */
export function label(alert: Alert): string {
  return clip(oneLine(checkLabel(alert.check)), NAME_CHARACTERS)
}

/** `Backup is DOWN, exit status 2` */
export function title(alert: Alert, name = label(alert)): string {
  return `${name} is ${stateWords(alert)}`
}

/** `“Backup” is DOWN, exit status 2.` */
export function quotedHeadline(alert: Alert): string {
  return `\u201c${label(alert)}\u201d is ${stateWords(alert)}.`
}

/** `The check "Backup" is DOWN, exit status 2.` */
export function sentence(alert: Alert): string {
  return `The check "${label(alert)}" is ${stateWords(alert)}.`
}

/** The cause and the notes of an alert, one per line; may be empty. */
export function lead(alert: Alert, tz: string): string {
  return [cause(alert, tz), ...notes(alert, tz)].filter(text => text !== '').join('\n')
}

/** The same with a Markdown link that acknowledges the incident, if there is one. */
export function leadWithLink(alert: Alert, tz: string): string {
  return withAnswerLink(lead(alert, tz), alert)
}

/** The check's description, cut if it is long, without white space around it. */
export function description({ check }: Alert): string {
  return clip(check.desc.trim(), DESCRIPTION_CHARACTERS)
}

/** All facts about the check, each value in one line, the most urgent first and the description last. */
export function chatFacts(alert: Alert, tz: string): Fact[] {
  const known = [
    ...facts(alert, tz),
    ...dependencyFacts(alert, tz),
    { label: 'Description', value: description(alert) },
  ]
  return known.map(fact => ({ ...fact, value: oneLine(fact.value) })).filter(({ value }) => value !== '')
}

/**
 * The last `maxLength` characters of the last ping's body, after a line `[truncated]` if the beginning was cut. Empty if
 * there is no body.
 */
export function outputExcerpt(alert: Alert, maxLength = OUTPUT_CHARACTERS): string {
  const readable = readableText(alert.lastPing)
  const characters = Array.from(cleanLines(readable.slice(-OUTPUT_LENGTH)).trim())
  const text = characters.slice(-maxLength).join('')
  const missing = characters.length > maxLength || readable.length > OUTPUT_LENGTH
  return missing ? `${TRUNCATED}\n${text}` : text
}

/** The end of an output as {@link outputExcerpt} has it, whose rendered form is at most `room` long; empty if none fits. */
export function outputWithin(output: string, room: number, render: (text: string) => string): string {
  if (output === '' || render(output).length <= room) return output
  const mark = `${TRUNCATED}\n`
  const end = endWithin(output.replace(mark, ''), room, text => render(mark + text))
  return end === '' ? '' : mark + end
}

/** Says where an output was cut; messages link to the check, whose page has the whole. */
export const TRUNCATED = '[truncated]'

/** The address at which the whole output is. */
export function outputUrl({ checkUrl, lastPing }: Pick<Alert, 'checkUrl' | 'lastPing'>): string {
  return lastPing === null ? checkUrl : `${checkUrl}#ping-${lastPing.n}`
}

/** The text as a Markdown code block that it cannot break out of; null if it is empty. */
export function fence(text: string): string | null {
  return text === '' ? null : `\`\`\`\n${text.replaceAll('```', '``\u02cb')}\n\`\`\``
}

/**
 * The state of the other checks as lines: a sentence, and a line with `bullet` for each that is down, formatted by
 * `text`. Empty if there are no others.
 */
export function otherLines(alert: Alert, tz: string, bullet = '- ', text = (item: string) => item): string[] {
  const others = otherChecks(alert, tz)
  return others === null ? [] : [others.text, ...others.items.map(item => bullet + text(oneLine(item)))]
}

/** How a kind formats the text of an alert. */
export interface Style {
  /** Escapes a text from users. */
  text(text: string): string
  /** Formats the output. */
  output(text: string): string
  /** The line break within a paragraph. */
  lineEnd: string
}

const PLAIN: Style = { text: text => text, output: text => text, lineEnd: '\n' }

/** Markdown, with `text` to escape users' texts. */
export function markdownStyle(text: (text: string) => string): Style {
  return { text, output: output => fence(output) ?? '', lineEnd: '  \n' }
}

/** The whole alert below its headline, in `style`, by default plain text. */
export function messageText(alert: Alert, tz: string, style: Style = PLAIN): string {
  const output = outputExcerpt(alert)
  const [others, ...down] = otherLines(alert, tz, '- ', style.text)
  const blocks = [
    lead(alert, tz).replaceAll('\n', style.lineEnd),
    chatFacts(alert, tz)
      .map(({ label, value }) => `${label}: ${style.text(clip(value, VALUE_CHARACTERS))}`)
      .join(style.lineEnd),
    output && `Last ping body:\n${style.output(output)}`,
    others && [others, ...down].join('\n'),
    alert.checkUrl,
    answerLine(alert),
  ]
  return blocks.filter(block => block).join('\n\n')
}

/** The headline and `messageText` as plain text. */
export function plainAlert(alert: Alert, tz: string): string {
  return `${title(alert)}.\n${messageText(alert, tz)}`
}

/** A notice's title in one line. */
export function noticeTitle({ title }: Notice): string {
  return clip(oneLine(title), 2 * NAME_CHARACTERS)
}

/** How a chat formats a notice: users' texts, and the name of a check with the address of its page. */
export interface NoticeStyle {
  text(line: string): string
  link(label: string, url: string): string
}

/** Text alone; the message links to the list of the checks. */
export const PLAIN_NOTICE: NoticeStyle = { text: line => line, link: label => label }

/** Links as Markdown has them, with `text` to escape users' texts. */
export function markdownNotice(text: (line: string) => string): NoticeStyle {
  return { text, link: (label, url) => `[${text(label.replaceAll('[', '(').replaceAll(']', ')'))}](${url})` }
}

/** Links as HTML has them. */
export const htmlNotice: NoticeStyle = {
  text: escapeHtml,
  link: (label, url) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`,
}

/** A notice's list and text. A blank line ends the list, as Markdown requires. */
export function noticeText({ items = [], text }: Notice, style = PLAIN_NOTICE, bullet = '- '): string {
  const list = items.map(
    item => bullet + style.link(oneLine(item.label), item.url) + style.text(`: ${item.text}`),
  )
  const rest = cleanLines(text).split('\n').map(style.text).join('\n')
  return [list.join('\n'), rest].filter(block => block !== '').join('\n\n')
}

/** A notice's text as {@link noticeText}, with its links. */
export function noticeWithLinks(notice: Notice, style = PLAIN_NOTICE): string {
  const blocks = [noticeText(notice, style), answerLine(notice), notice.url]
  return blocks.filter(block => block !== '').join('\n\n')
}
