import type { Api } from '../../client/index.js'
import type { HoldReason } from '../../core/alerts/delivery/change.js'
import type { ExplainedChannel, Explanation } from '../../core/incidents/explanation.js'
import type { IncidentEntry, ListedIncident } from '../../core/incidents/listed-incident.js'
import type { ServerProject } from '../server/connection.js'

/** The explanation that a server answers, with instants in ms. */
export async function serverExplanation(
  { api }: ServerProject,
  { check, status, incident, channels }: Api.Explanation,
): Promise<Explanation> {
  const { uuid, unique_key, name } = check
  return {
    check: { uuid: uuid ?? '', uniqueKey: unique_key ?? '', name: name || unique_key || '', status },
    incident: incident && toIncident(incident, await downAt(api, incident)),
    channels: channels.map(toChannel),
  }
}

/** When the check last went down: an incident that was reopened has been open for longer. */
async function downAt(api: ServerProject['api'], incident: Api.Incident): Promise<number> {
  const { timeline } = await api.getIncident(incident.id)
  const begins = timeline.filter(({ type }) => type === 'opened' || type === 'reopened')
  return Date.parse(begins.at(-1)?.at ?? incident.opened_at)
}

function toIncident(incident: Api.Incident, downAt: number): ListedIncident {
  const { id, check, opened_at, since, cause, closed_at, closed_by, acknowledged: ack } = incident
  return {
    ...{ id, cause, downAt, openedAt: Date.parse(opened_at), sinceAt: Date.parse(since) },
    ...{ closedAt: instant(closed_at), closedBy: closed_by, detail: {} as ListedIncident['detail'] },
    check: { uuid: check.uuid ?? null, uniqueKey: check.unique_key ?? null, name: check.name, tags: '' },
    acknowledged: ack && {
      by: ack.by ?? 'somebody',
      at: Date.parse(ack.at),
      note: ack.note,
      until: instant(ack.until),
    },
  }
}

function toChannel(one: Api.ExplainedChannel): ExplainedChannel {
  const { uuid = '', name = '', kind } = one.channel
  return {
    channel: { uuid, name, kind },
    unusable: one.unusable,
    isLinked: one.linked,
    reportedAt: instant(one.reported_at),
    last: one.last_message && (toEntry(one.last_message) as ExplainedChannel['last']),
    dropped: one.dropped.map(toEntry) as ExplainedChannel['dropped'],
    waiting: one.waiting.map(({ status, again, since, due_at, attempts, sending, held_by }) => ({
      ...{ status, again, attempts, isSending: sending },
      ...{ since: Date.parse(since), dueAt: instant(due_at), heldBy: held_by as HoldReason | null },
    })),
    holds: one.holds.map(hold => ({ ...hold, until: Date.parse(hold.until) })) as ExplainedChannel['holds'],
  }
}

/** A message or a drop, as these are all that an explanation has. */
function toEntry(entry: Api.IncidentEntry): IncidentEntry {
  const at = Date.parse(entry.at)
  if (entry.type !== 'message') return { ...entry, at } as IncidentEntry
  const { type, status, attempts, last_attempt, error } = entry
  return { type, at, channel: null, status, attempts, lastAt: Date.parse(last_attempt), error: error ?? '' }
}

function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}
