/** Why an alert about a check was or was not sent: for each of its channels, what it was sent and what waits. */
import type { Again, ChangeStatus, HoldReason } from '../alerts/delivery/change.js'
import type { CheckHold } from '../alerts/delivery/hold.js'
import type { StoredStatus } from '../checks/check.js'
import { droppedWords, heldWords } from './entry-words.js'
import type { IncidentEntry, ListedIncident } from './listed-incident.js'

/** A delivery that waits for a channel. Instants in ms. */
export interface WaitingAlert {
  status: ChangeStatus
  /** Set if it only asks that the incident is sent once more. */
  again: Again | null
  /** Since when there has been something to send, and when it is looked at next; null: when the channel is enabled. */
  since: number
  dueAt: number | null
  attempts: number
  isSending: boolean
  /** What it waits for since it was planned; null: nothing, or its next attempt. */
  heldBy: HoldReason | null
}

/** A channel of a check. */
export interface ExplainedChannel {
  channel: { uuid: string; name: string; kind: string }
  /** Why it cannot be used. */
  unusable: 'disabled' | 'unconfirmed' | 'unreachable' | null
  /** Whether it is linked to the check; if not, it is only sent the end of what it was sent. */
  isLinked: boolean
  /** Since when (ms) it has last been sent that the check is down; null: it was not, or was sent the end. */
  reportedAt: number | null
  /** The last message about the incident, and what was dropped since. */
  last: Extract<IncidentEntry, { type: 'message' }> | null
  dropped: Extract<IncidentEntry, { type: 'dropped' }>[]
  waiting: WaitingAlert[]
  /** What holds the check's down alerts for the channel now. */
  holds: readonly CheckHold[]
}

export interface Explanation {
  check: { uuid: string; uniqueKey: string; name: string; status: StoredStatus }
  /** The open incident, or else the last one; null: there was none. */
  incident: ListedIncident | null
  channels: ExplainedChannel[]
}

/** The explanation as lines for people. `instant` writes an instant. */
export function explanationLines(
  { check, incident, channels }: Explanation,
  instant: (ms: number) => string,
): string[] {
  const name = check.name || check.uuid
  return [
    `${name} is ${check.status}. ${incidentSentence(incident, instant)}`,
    ...(channels.length === 0 ? ['It has no channels, so nothing is sent.'] : []),
    ...channels.flatMap(one => ['', ...channelLines(one, instant)]),
  ]
}

function incidentSentence(incident: ListedIncident | null, instant: (ms: number) => string): string {
  if (incident === null) return 'It has had no incidents.'
  const { id, downAt, cause, closedAt, closedBy, acknowledged } = incident
  if (closedAt !== null) {
    return `Its last incident, ${id}, went from ${instant(incident.openedAt)} to ${instant(closedAt)} (${closedBy}).`
  }
  const ack = acknowledged
    ? ` Acknowledged by ${acknowledged.by}${acknowledged.until === null ? '' : ` until ${instant(acknowledged.until)}`}: steps and repeats are not sent.`
    : ''
  return `Incident ${id}: down since ${instant(downAt)} (${cause}).${ack}`
}

function channelLines(one: ExplainedChannel, instant: (ms: number) => string): string[] {
  const { channel, unusable, isLinked, reportedAt, last, dropped, waiting, holds } = one
  const lines = [`${channel.name || channel.uuid} (${channel.kind})`]
  if (unusable !== null) lines.push(`  It is ${unusable}.`)
  if (!isLinked) lines.push('  It is not linked to the check any more.')
  lines.push(
    reportedAt === null
      ? '  It has no down alert that is not over.'
      : `  It was sent that the check is down, ${instant(reportedAt)}.`,
  )
  if (last !== null)
    lines.push(`  Last message: ${last.status}, ${instant(last.lastAt)}: ${last.error || 'sent'}.`)
  for (const drop of dropped)
    lines.push(`  Not sent: ${drop.text}, ${instant(drop.at)}: ${droppedWords(drop)}.`)
  for (const alert of waiting) lines.push(`  ${waitingSentence(alert, instant)}`)
  for (const { reason, name, until } of holds) {
    // A dependency has no known end.
    const end = reason === 'silence' ? ` until ${instant(until)}` : ''
    lines.push(`  Down alerts are held now: ${reason}${name === '' ? '' : ` “${name}”`}${end}.`)
  }
  if (waiting.length === 0) lines.push('  Nothing waits.')
  return lines
}

function waitingSentence(alert: WaitingAlert, instant: (ms: number) => string): string {
  const what = `${alert.again ?? alert.status} since ${instant(alert.since)}`
  if (alert.isSending) return `Being sent: ${what}.`
  const why = alert.heldBy === null ? '' : `, held: ${heldWords({ reason: alert.heldBy, text: '' })}`
  const tried = alert.attempts === 0 ? '' : `, tried ${alert.attempts} times`
  const next = alert.dueAt === null ? 'when the channel is enabled' : instant(alert.dueAt)
  return `Waits: ${what}${why}${tried}; looked at next ${next}.`
}
