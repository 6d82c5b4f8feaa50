/**
 * Texts for chats and phones, besides those of alert-text.ts: short headings, facts, and the end of the output. They are
 * plain texts, which each kind escapes and formats. Source: docs/behaviour.md, section 8.3.
 */
import { type Alert, checkLabel, type Notice, readableText, statusWord } from '../../core/alerts/alert.js'
import { cleanLines, oneLine } from '../../core/text/clean-text.js'
import { exactWords } from '../../core/time/instant.js'
import { cause, type Fact, facts, isStill, notes, otherChecks } from './alert-text.js'
import { answerLine, withAnswerLink } from './answer-link.js'
import { clip } from './clip.js'
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

/** `Backup is DOWN` */
export function title(alert: Alert, name = label(alert)): string {
  return `${name} is ${isStill(alert)}${statusWord(alert)}`
}

/** `“Backup” is DOWN.` */
export function quotedHeadline(alert: Alert): string {
  return `\u201c${label(alert)}\u201d is ${isStill(alert)}${alert.status.toUpperCase()}.`
}

/** `The check "Backup" is DOWN.` */
export function sentence(alert: Alert): string {
  return `The check "${label(alert)}" is ${isStill(alert)}${alert.status.toUpperCase()}.`
}

/** The cause and the notes of an alert, one per line; may be empty. */
export function lead(alert: Alert, tz: string): string {
  return [cause(alert), ...notes(alert, tz)].filter(text => text !== '').join('\n')
}

/** The same with a Markdown link that acknowledges the incident, if there is one. */
export function leadWithLink(alert: Alert, tz: string): string {
  return withAnswerLink(lead(alert, tz), alert)
}

/** The check's description, cut if it is long, without white space around it. */
export function description({ check }: Alert): string {
  return clip(check.desc.trim(), DESCRIPTION_CHARACTERS)
}

/** All facts about the check, each value in one line: description, last runs, and since when it has its status. */
export function chatFacts(alert: Alert, tz: string): Fact[] {
  const word = statusWord(alert)
  const since = `${word[0]}${word.slice(1).toLowerCase()} Since`
  const known = [
    { label: 'Description', value: description(alert) },
    ...facts(alert),
    ...dependencyFacts(alert, tz),
    { label: since, value: exactWords(alert.flip.createdAt, tz) },
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
  return missing ? `[truncated]\n${text}` : text
}

/** The text as a Markdown code block that it cannot break out of; null if it is empty. */
export function fence(text: string): string | null {
  return text === '' ? null : `\`\`\`\n${text.replaceAll('```', '``\u02cb')}\n\`\`\``
}

/**
 * The state of the other checks as lines: a sentence, and a line with `bullet` for each that is down, formatted by
 * `text`. Empty if there are no others.
 */
export function otherLines(alert: Alert, bullet = '- ', text = (item: string) => item): string[] {
  const others = otherChecks(alert)
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
  const [others, ...down] = otherLines(alert, '- ', style.text)
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

/**
 * A notice's text, with each line escaped by `text`, because lists contain names of checks. A blank line ends each list,
 * as Markdown requires.
 */
export function noticeText({ text: words }: Notice, text = (line: string) => line): string {
  const lines = cleanLines(words).split('\n')
  const isItem = (line?: string) => line?.startsWith('- ') ?? false
  return lines
    .map((line, index) => {
      const shown = isItem(line) ? `- ${text(line.slice(2))}` : text(line)
      return isItem(lines[index - 1]) && !isItem(line) ? `\n${shown}` : shown
    })
    .join('\n')
}

/** A notice's text as {@link noticeText}, with its links. */
export function noticeWithLinks(notice: Notice, text?: (line: string) => string): string {
  const blocks = [noticeText(notice, text), answerLine(notice), notice.url]
  return blocks.filter(block => block !== '').join('\n\n')
}
