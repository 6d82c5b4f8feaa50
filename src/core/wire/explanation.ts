import type { ExplainedChannel, Explanation } from '../incidents/explanation.js'
import { incidentEntryShape, incidentShape } from './incident.js'
import { isoSeconds } from './timestamp.js'
import type { WireView } from './version.js'

/** The JSON value of why an alert was or was not sent, in Punctual's own API. */
export function explanationShape(explanation: Explanation, access: WireView['access']) {
  const { check, incident, channels } = explanation
  return {
    check: {
      ...(access === 'rw' ? { uuid: check.uuid } : { unique_key: check.uniqueKey }),
      name: check.name,
    },
    status: check.status,
    incident: incident && incidentShape(incident, access),
    channels: channels.map(channel => channelShape(channel, access)),
  }
}

function channelShape(one: ExplainedChannel, access: WireView['access']) {
  const { channel, last, dropped, waiting, holds } = one
  return {
    channel: access === 'rw' ? channel : { kind: channel.kind },
    unusable: one.unusable,
    linked: one.isLinked,
    reported_at: instant(one.reportedAt),
    last_message: last && incidentEntryShape(last, access),
    dropped: dropped.map(entry => incidentEntryShape(entry, access)),
    waiting: waiting.map(alert => ({
      status: alert.status,
      again: alert.again,
      since: isoSeconds(alert.since),
      due_at: instant(alert.dueAt),
      attempts: alert.attempts,
      sending: alert.isSending,
      held_by: alert.heldBy,
    })),
    holds: holds.map(({ reason, name, until }) => ({ reason, name, until: isoSeconds(until) })),
  }
}

function instant(ms: number | null): string | null {
  return ms === null ? null : isoSeconds(ms)
}
