/** Incidents in Punctual's own API. Read-only keys see no addresses: no channels, no names of people, no errors. */
import { heldWords } from '../incidents/entry-words.js'
import type { IncidentEntry, ListedIncident, TimelineChannel } from '../incidents/listed-incident.js'
import { isoSeconds } from './timestamp.js'
import type { WireView } from './version.js'

type Access = WireView['access']

/** The JSON value of an incident. */
export function incidentShape(incident: ListedIncident, access: Access) {
  const { check, acknowledged: ack } = incident
  return {
    id: incident.id,
    check: {
      ...(access === 'rw' ? { uuid: check.uuid } : { unique_key: check.uniqueKey }),
      name: check.name,
    },
    opened_at: isoSeconds(incident.openedAt),
    since: isoSeconds(incident.sinceAt),
    cause: incident.cause,
    closed_at: instant(incident.closedAt),
    closed_by: incident.closedBy,
    acknowledged: acknowledgedShape(ack, access),
  }
}

/** The JSON value of an acknowledgement. */
export function acknowledgedShape(ack: ListedIncident['acknowledged'], access: Access) {
  if (ack === null) return null
  return {
    by: person(ack.by, access),
    at: isoSeconds(ack.at),
    note: ack.note,
    until: instant(ack.until),
  }
}

/** The JSON value of an entry of a timeline. */
export function incidentEntryShape(entry: IncidentEntry, access: Access) {
  const { type } = entry
  const at = isoSeconds(entry.at)
  switch (type) {
    case 'opened':
    case 'reopened':
      return { type, at, cause: entry.cause }
    case 'closed':
      return { type, at, by: entry.by }
    case 'message': {
      const { status, attempts } = entry
      const sent = { status, attempts, last_attempt: isoSeconds(entry.lastAt) }
      return {
        type,
        at,
        channel: channel(entry.channel, access),
        ...sent,
        error: errorOf(entry.error, access),
      }
    }
    case 'held': {
      const { reason, until } = entry
      const text = heldWords(entry)
      return { type, at, channel: channel(entry.channel, access), reason, text, until: instant(until) }
    }
    case 'dropped':
      return { type, at, channel: channel(entry.channel, access), reason: entry.reason, text: entry.text }
    case 'acknowledged':
      return { type, at, by: person(entry.by, access), note: entry.note, until: instant(entry.until) }
    case 'unacknowledged':
      return { type, at, by: person(entry.by, access) }
    case 'note':
      return { type, at, by: person(entry.by, access), note: entry.note }
  }
}

function instant(ms: number | null): string | null {
  return ms === null ? null : isoSeconds(ms)
}

function person(name: string, access: Access): string | null {
  return access === 'rw' ? name : null
}

function channel(one: TimelineChannel, access: Access) {
  if (one === null) return null
  return access === 'rw' ? { uuid: one.uuid, name: one.name, kind: one.kind } : { kind: one.kind }
}

/** Errors of receivers quote addresses. */
function errorOf(error: string, access: Access): string | null {
  if (error === '') return null
  return access === 'rw' || error === 'Sending' ? error : 'not sent'
}
