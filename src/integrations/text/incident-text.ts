/**
 * Texts of alerts for incident tools and phones: first what happened, why and since when, then the job's last output.
 * They are plain texts, which each kind escapes and cuts. Source: docs/behaviour.md, section 8.3.
 */
import type { Alert } from '../../core/alerts/alert.js'
import { approximateWords } from '../../core/time/duration.js'
import { type Fact, missedWords, notes, sinceFact } from './alert-text.js'
import { chatFacts, label, otherLines, outputExcerpt, title } from './chat-text.js'
import { clip } from './clip.js'
import { downReason, exitStatus } from './down-reason.js'

/** The reason of a down alert, or the length of the downtime, as part of a sentence; empty if unknown. */
export function why(alert: Alert, tz: string): string {
  const { status, downtimeMs } = alert
  if (alert.test) return 'this is a test'
  if (status === 'down') return exitStatus(alert) === null ? downReason(alert, tz) : ''
  const missed = missedWords(alert)
  const lasted = downtimeMs === null ? '' : `it was down for ${approximateWords(downtimeMs)}`
  const wasDown = lasted && missed ? `${lasted} and missed ${missed}` : lasted
  if (!isLeft(alert)) return wasDown
  return wasDown ? `${wasDown} and is no longer reported here` : 'it is no longer reported here'
}

/** The alert in one line: `Backup is DOWN: the job reported a failure`. */
export function summary(alert: Alert, tz: string, name = label(alert)): string {
  const cause = why(alert, tz)
  return cause ? `${title(alert, name)}: ${cause}` : title(alert, name)
}

/** Whether the incident is closed only because the check is no longer reported here; the check may still be down. */
function isLeft({ closing }: Alert): boolean {
  return closing === 'unlinked' || closing === 'moved'
}

/** All facts about the check, since when it has its status first. */
export function incidentFacts(alert: Alert, tz: string): Fact[] {
  return [sinceFact(alert, tz), ...chatFacts(alert, tz)]
}

/** The whole alert as plain text, at most `max` characters, with the least important part last. */
export function plainIncident(alert: Alert, tz: string, max: number): string {
  const output = outputExcerpt(alert)
  const shown = incidentFacts(alert, tz)
  const line = (fact: Fact) => `${fact.label}: ${fact.value}`
  const blocks = [
    [`${summary(alert, tz)}.`],
    notes(alert, tz),
    [alert.checkUrl],
    shown.filter(fact => fact.label !== 'Description').map(line),
    output === '' ? [] : ['Last ping body:', output],
    otherLines(alert, tz),
    shown.filter(fact => fact.label === 'Description').map(({ value }) => value),
  ]
  const text = blocks
    .map(lines => lines.join('\n'))
    .filter(block => block !== '')
    .join('\n\n')
  return cutEnd(text, max, `\n[truncated; the whole: ${alert.checkUrl}]`)
}

/** The text, at most `max` long, with `mark` at its end if it was cut. */
function cutEnd(text: string, max: number, mark: string): string {
  return text.length <= max ? text : clip(text, max - mark.length) + mark
}
