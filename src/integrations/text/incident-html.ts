import type { Alert } from '../../core/alerts/alert.js'
import { escapeHtml } from '../../views/escape-html.js'
import type { Destination } from '../integration.js'
import { cause, type Fact, notes } from './alert-text.js'
import { chatFacts, otherLines, outputExcerpt, outputWithin, title } from './chat-text.js'
import { clip } from './clip.js'
import { readerZone } from './reader-zone.js'

const LINE_CHARACTERS = 200
const OTHER_CHARACTERS = 60
const DESCRIPTION_CHARACTERS = 300

/**
 * An alert as a short message with the few HTML tags that messengers support, at most `max` characters including tags.
 * The most important part comes first. Parts that do not fit are omitted; the output loses its beginning. `render` adds
 * tags to the escaped output.
 */
export function htmlAlert(
  alert: Alert,
  to: Destination,
  max: number,
  render: (output: string) => string,
): string {
  const tz = readerZone(alert, to)
  const all = chatFacts(alert, tz)
  const description = all.find(({ label }) => label === 'Description')?.value ?? ''
  const facts = all.filter(({ label }) => label !== 'Description')
  const head = linesWithin(headLines(alert, facts, tz), max).join('\n')
  const output = outputExcerpt(alert)
  // Leave at least half of the remaining space for the output.
  const left = max - head.length
  const tail = linesWithin(tailLines(alert, description, tz), output === '' ? left : left / 2)
  const rest = tail.map(line => `\n${line}`).join('')
  const wrap = (end: string) => `\n\n${render(escapeHtml(end))}`
  const end = outputWithin(output, left - rest.length, wrap)
  return head + (end === '' ? '' : wrap(end)) + rest
}

function headLines(alert: Alert, facts: Fact[], tz: string): string[] {
  const lines = [
    cause(alert, tz),
    ...notes(alert, tz),
    ...facts.map(({ label, value }) => `${label}: ${clip(value, LINE_CHARACTERS)}`),
  ]
  const heading = `<b>${escapeHtml(clip(title(alert), LINE_CHARACTERS))}</b>`
  return [heading, ...lines.filter(line => line !== '').map(escapeHtml)]
}

function tailLines(alert: Alert, description: string, tz: string): string[] {
  const [others, ...down] = otherLines(alert, tz)
  const [first, ...more] = down.map(line => clip(line, OTHER_CHARACTERS))
  const lines = [
    // Keep the heading together with the first item.
    ...(others ? [['', others, first].filter(line => line !== undefined).join('\n'), ...more] : []),
    ...(description ? [`\n${clip(description, DESCRIPTION_CHARACTERS)}`] : []),
  ]
  return lines.map(escapeHtml)
}

/** The first lines that fit, counting a line break for each. */
function linesWithin(lines: readonly string[], max: number): string[] {
  let room = max
  const fitting = lines.findIndex(line => {
    room -= line.length + 1
    return room < 0
  })
  return fitting === -1 ? [...lines] : lines.slice(0, fitting)
}
