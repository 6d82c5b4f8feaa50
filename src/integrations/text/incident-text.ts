/**
 * Texts of alerts for incident tools and phones: first what happened, why and since when, then the job's last output.
 * They are plain texts, which each kind escapes and cuts. Source: docs/behaviour.md, section 8.3.
 */
import type { Alert } from '../../core/alerts/alert.js'
import { downReason } from '../../core/alerts/down-reason.js'
import { approximateWords } from '../../core/time/duration.js'
import type { Destination } from '../integration.js'
import { type Fact, missedWords, notes } from './alert-text.js'
import { chatFacts, label, otherLines, outputExcerpt, title } from './chat-text.js'

/** The reason with the exit status, or the length of the downtime, as part of a sentence; empty if unknown. */
export function why(alert: Alert): string {
  const { status, flip, lastPing, downtimeMs } = alert
  if (status === 'up') {
    const missed = missedWords(alert)
    const lasted = downtimeMs === null ? '' : `it was down for ${approximateWords(downtimeMs)}`
    const wasDown = lasted && missed ? `${lasted} and missed ${missed}` : lasted
    if (!isLeft(alert)) return wasDown
    return wasDown ? `${wasDown} and is no longer reported here` : 'it is no longer reported here'
  }
  const reason = downReason(alert)
  const exitStatus = flip.reason === 'failed' && lastPing?.action === 'fail' ? lastPing.exitStatus : null
  return exitStatus ? `${reason} (exit status ${exitStatus})` : reason
}

/** The alert in one line: `Backup is DOWN: received a failure signal (exit status 2)`. */
export function summary(alert: Alert, name = label(alert)): string {
  const cause = alert.test ? 'this is a test' : why(alert)
  return cause ? `${title(alert, name)}: ${cause}` : title(alert, name)
}

/** Whether the incident is closed only because the check is no longer reported here; the check may still be down. */
function isLeft({ closing }: Alert): boolean {
  return closing === 'unlinked' || closing === 'moved'
}

const ENDS = ['Paused', 'Deleted', 'Unlinked', 'Moved', 'Cleared'].map(word => `${word} Since`)
const FIRST = ['Down Since', 'Up Since', ...ENDS, 'Last Ping', 'Last Run']
const LAST = ['Description']

/** All facts about the check, one line each, the most urgent first. */
export function incidentFacts(alert: Alert, to: Destination): Fact[] {
  const known = chatFacts(alert, timeZone(to))
  const named = (labels: string[]) => labels.flatMap(name => known.filter(fact => fact.label === name))
  const others = known.filter(fact => ![...FIRST, ...LAST].includes(fact.label))
  return [...named(FIRST), ...others, ...named(LAST)]
}

/** Remarks that explain the alert, with times in the recipient's time zone. */
export function incidentNotes(alert: Alert, to: Destination): string[] {
  return notes(alert, timeZone(to))
}

/** The whole alert as plain text, at most `max` characters, with the least important part last. */
export function plainIncident(alert: Alert, to: Destination, max: number): string {
  const output = outputExcerpt(alert)
  const shown = incidentFacts(alert, to)
  const line = (fact: Fact) => `${fact.label}: ${fact.value}`
  const blocks = [
    [`${summary(alert)}.`],
    incidentNotes(alert, to),
    [alert.checkUrl],
    shown.filter(fact => !LAST.includes(fact.label)).map(line),
    output === '' ? [] : ['Last ping body:', output],
    otherLines(alert),
    shown.filter(fact => LAST.includes(fact.label)).map(({ value }) => value),
  ]
  const text = blocks
    .map(lines => lines.join('\n'))
    .filter(block => block !== '')
    .join('\n\n')
  return text.length <= max ? text : `${text.slice(0, max - CUT.length)}${CUT}`
}

const CUT = '\n[truncated]'

function timeZone(to: Destination): string {
  return to.timeZone ?? 'UTC'
}
