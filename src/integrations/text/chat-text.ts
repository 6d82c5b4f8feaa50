/**
 * What chats and phones are told, beyond alert-text.ts: short headings, everything that is known as facts, the
 * end of the output. Plain texts: a kind escapes and decorates them. Source: docs/behaviour.md, section 8.3.
 */
import { type Alert, checkLabel, type Notice, readableText, statusWord } from '../../core/alerts/alert.js'
import { cleanLines, oneLine } from '../../core/text/clean-text.js'
import { exactWords } from '../../core/time/instant.js'
import { cause, type Fact, facts, notes, otherChecks } from './alert-text.js'
import { clip } from './clip.js'

const OUTPUT_CHARACTERS = 1000
/** A body may be of any length; its end is enough. */
const OUTPUT_LENGTH = 16_384
const NAME_CHARACTERS = 150
const VALUE_CHARACTERS = 450

/** What the check is called, in one line that fits every title. */
export function label(alert: Alert): string {
  return clip(oneLine(checkLabel(alert.check)), NAME_CHARACTERS)
}

/** `Backup is DOWN` */
export function title(alert: Alert, name = label(alert)): string {
  return `${name} is ${statusWord(alert)}`
}

/** `“Backup” is DOWN.` */
export function quotedHeadline(alert: Alert): string {
  return `\u201c${label(alert)}\u201d is ${alert.status.toUpperCase()}.`
}

/** `The check "Backup" is DOWN.` */
export function sentence(alert: Alert): string {
  return `The check "${label(alert)}" is ${alert.status.toUpperCase()}.`
}

/** Why it went down or how long that lasted, and what else must be known to judge the alert; may be empty. */
export function lead(alert: Alert, tz: string): string {
  return [cause(alert), ...notes(alert, tz)].filter(text => text !== '').join('\n')
}

/** All that is known of the check, each value in one line: what it is for, since when, when and how it ran. */
export function chatFacts(alert: Alert, tz: string): Fact[] {
  const word = statusWord(alert)
  const since = `${word[0]}${word.slice(1).toLowerCase()} Since`
  const known = [
    { label: 'Description', value: alert.check.desc },
    ...facts(alert),
    { label: since, value: exactWords(alert.flip.createdAt, tz) },
  ]
  return known.map(fact => ({ ...fact, value: oneLine(fact.value) })).filter(({ value }) => value !== '')
}

/**
 * The end of the last ping's body, at most `maxLength` characters of it; where something is missing before, a
 * first line `[truncated]` says so. Empty where there is no body.
 */
export function outputExcerpt(alert: Alert, maxLength = OUTPUT_CHARACTERS): string {
  const readable = readableText(alert.lastPing)
  const characters = Array.from(cleanLines(readable.slice(-OUTPUT_LENGTH)).trim())
  const text = characters.slice(-maxLength).join('')
  const missing = characters.length > maxLength || readable.length > OUTPUT_LENGTH
  return missing ? `[truncated]\n${text}` : text
}

/** The text between fences of Markdown, which it cannot end itself; null where there is none. */
export function fenced(text: string): string | null {
  return text === '' ? null : `\`\`\`\n${text.replaceAll('```', '``\u02cb')}\n\`\`\``
}

/**
 * How the other checks are, as lines: a sentence, and each of those that are down, through `text`, with `bullet`
 * before it. Empty without others.
 */
export function otherLines(alert: Alert, bullet = '- ', text = (item: string) => item): string[] {
  const others = otherChecks(alert)
  return others === null ? [] : [others.text, ...others.items.map(item => bullet + text(oneLine(item)))]
}

/** How a kind without fields of its own writes an alert down. */
export interface Style {
  /** A text from users, so that it is shown as it is. */
  text(text: string): string
  /** The output, set apart. */
  output(text: string): string
  /** What ends a line within a paragraph. */
  lineEnd: string
}

const PLAIN: Style = { text: text => text, output: text => text, lineEnd: '\n' }

/** Markdown in which users' texts go through `text`. */
export function markdownStyle(text: (text: string) => string): Style {
  return { text, output: output => fenced(output) ?? '', lineEnd: '  \n' }
}

/** The whole alert below its headline, without markup unless `style` has some. */
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
  ]
  return blocks.filter(block => block).join('\n\n')
}

/** The headline and all of `messageText`, without markup. */
export function plainAlert(alert: Alert, tz: string): string {
  return `${title(alert)}.\n${messageText(alert, tz)}`
}

/** A notice's title in one line. */
export function noticeTitle({ title }: Notice): string {
  return clip(oneLine(title), 2 * NAME_CHARACTERS)
}

/**
 * A notice's text, each line through `text`; after a list a line of its own kind begins a paragraph, as Markdown
 * wants it. A list names checks, so what it holds is not ours.
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
