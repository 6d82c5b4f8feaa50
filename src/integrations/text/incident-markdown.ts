import type { Alert, Notice } from '../../core/alerts/alert.js'
import { oneLine } from '../../core/text/clean-text.js'
import type { Destination } from '../integration.js'
import { notes } from './alert-text.js'
import { markdownNotice as linkedNotice, noticeText, otherLines, outputExcerpt } from './chat-text.js'
import { clip } from './clip.js'
import { incidentFacts, summary } from './incident-text.js'
import { codeBlock, escapeMarkdown } from './markdown.js'
import { readerZone } from './reader-zone.js'

const VALUE_CHARACTERS = 1000

/** An alert as the body of an issue or a card, in Markdown. */
export function markdownAlert(alert: Alert, to: Destination): string {
  const tz = readerZone(alert, to)
  const output = outputExcerpt(alert)
  const facts = incidentFacts(alert, tz).map(({ label, value }) => {
    return `- **${label}:** ${escapeMarkdown(clip(value, VALUE_CHARACTERS))}`
  })
  const [others, ...down] = otherLines(alert, tz, '')
  const blocks = [
    `**${escapeMarkdown(summary(alert, tz))}**`,
    ...notes(alert, tz).map(escapeMarkdown),
    facts.join('\n'),
    `[View the check](${alert.checkUrl})`,
    output && `Last ping body:\n\n${codeBlock(output)}`,
    others,
    down.map(line => `- ${escapeMarkdown(line)}`).join('\n'),
  ]
  return blocks.filter(block => block).join('\n\n')
}

const noticeStyle = linkedNotice(escapeMarkdown)

/** A notice as the body of an issue or a card. */
export function markdownNotice(notice: Notice): string {
  const link = `[${escapeMarkdown(oneLine(notice.site.name))}](${notice.url})`
  return `${noticeText(notice, noticeStyle)}\n\n${link}`
}
