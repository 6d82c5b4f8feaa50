import type { Alert } from '../../core/alerts/alert.js'
import { escapeHtml } from '../../views/escape-html.js'
import type { Destination } from '../integration.js'
import { cause, type Fact } from './alert-text.js'
import { otherLines, outputExcerpt, title } from './chat-text.js'
import { clip, endWithin } from './clip.js'
import { incidentFacts, incidentNotes, why } from './incident-text.js'

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
  const all = incidentFacts(alert, to)
  const description = all.find(({ label }) => label === 'Description')?.value ?? ''
  const facts = all.filter(({ label }) => label !== 'Description')
  const head = linesWithin(headLines(alert, facts, to), max).join('\n')
  const output = outputExcerpt(alert)
  // Leave at least half of the remaining space for the output.
  const left = max - head.length
  const tail = linesWithin(tailLines(alert, description), output === '' ? left : left / 2)
  const rest = tail.map(line => `\n${line}`).join('')
  const wrap = (end: string) => `\n\n${render(escapeHtml(end))}`
  const end = endWithin(output, left - rest.length, wrap)
  return head + (end === '' ? '' : wrap(end)) + rest
}

function headLines(alert: Alert, facts: Fact[], to: Destination): string[] {
  const reason = why(alert)
  const lines = [
    alert.status === 'down' && reason !== '' ? `Reason: ${reason}.` : cause(alert),
    ...incidentNotes(alert, to),
    ...facts.map(({ label, value }) => `${label}: ${clip(value, LINE_CHARACTERS)}`),
  ]
  const heading = `<b>${escapeHtml(clip(title(alert), LINE_CHARACTERS))}</b>`
  return [heading, ...lines.filter(line => line !== '').map(escapeHtml)]
}

function tailLines(alert: Alert, description: string): string[] {
  const [others, ...down] = otherLines(alert)
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
