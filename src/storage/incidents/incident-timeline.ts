/** Everything that happened to an incident, from its row, its events and its messages. */
import { needlessReason } from '../../core/alerts/delivery/drop-notes.js'
import type { ClosedBy } from '../../core/incidents/incident.js'
import type { IncidentEntry, ListedIncident, TimelineChannel } from '../../core/incidents/listed-incident.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { find } from './incidents.js'

/** The maximum number of events, and of attempts at messages: the newest. */
const MOST = 2_000

/** An incident with what happened to it, oldest first. Throws a `Refusal` as {@link find}. */
export const timeline = read(
  async (
    db: Db,
    projectId: number,
    id: number,
    now: number,
  ): Promise<{ incident: ListedIncident; entries: IncidentEntry[] }> => {
    const incident = await find(db, projectId, id, now)
    const entries: IncidentEntry[] = [
      { type: 'opened', at: incident.openedAt, cause: incident.cause, detail: incident.detail },
      ...(await eventsOf(db, id)),
    ]
    const { closedAt, closedBy } = incident
    if (closedAt !== null) entries.push({ type: 'closed', at: closedAt, by: closedBy! })
    entries.push(...(await messagesOf(db, id)))
    // Stable: of the same instant, the messages come last.
    return { incident, entries: entries.sort((a, b) => a.at - b.at) }
  },
)

/** The messages about an incident and what was dropped, oldest first. */
export async function messagesAndDrops(db: Db, incidentId: number): Promise<IncidentEntry[]> {
  const entries = [...(await eventsOf(db, incidentId, 'dropped')), ...(await messagesOf(db, incidentId))]
  return entries.sort((a, b) => a.at - b.at)
}

type Message = Extract<IncidentEntry, { type: 'message' }>

type Dropped = Extract<IncidentEntry, { type: 'dropped' }>

/** The messages, each at the time of its first attempt with the result of the last, and the drops that the log records. */
async function messagesOf(db: Db, incidentId: number): Promise<(Message | Dropped)[]> {
  const rows = await db.sql
    .selectFrom('notifications as n')
    .leftJoin('channels as ch', 'ch.id', 'n.channel_id')
    .select([
      'n.delivery_uuid as delivery',
      'n.uuid as attemptUuid',
      'n.created_at as at',
      'n.attempt',
      'n.error',
    ])
    .select(['n.check_status as status', 'ch.uuid', 'ch.name', 'ch.kind'])
    .where('n.incident_id', '=', incidentId)
    .orderBy('n.id', 'desc')
    .limit(MOST)
    .execute()
  const messages = new Map<string, Message | Dropped>()
  for (const row of rows.reverse()) {
    const { at, attempt: attempts, error, status } = row
    const channel = channelOf(row)
    const reason = needlessReason(error)
    if (reason !== null) {
      messages.set(row.attemptUuid, { type: 'dropped', at, channel, reason, text: status })
      continue
    }
    const key = row.delivery ?? row.attemptUuid
    const first = messages.get(key)
    messages.set(key, { type: 'message', at: first?.at ?? at, channel, status, attempts, lastAt: at, error })
  }
  return [...messages.values()]
}

async function eventsOf(db: Db, incidentId: number, kind?: 'dropped'): Promise<IncidentEntry[]> {
  const rows = await db.sql
    .selectFrom('incident_events as e')
    .leftJoin('channels as ch', 'ch.id', 'e.channel_id')
    .select(['e.kind as type', 'e.created_at as at', 'e.reason', 'e.text', 'e.author', 'e.until_at as until'])
    .select(['ch.uuid', 'ch.name', 'ch.kind'])
    .where('e.incident_id', '=', incidentId)
    .$if(kind !== undefined, query => query.where('e.kind', '=', kind!))
    .orderBy('e.id', 'desc')
    .limit(MOST)
    .execute()
  return rows.reverse().map(row => {
    const { at, type, reason, text, author: by, until } = row
    switch (type) {
      case 'closed':
        return { at, type, by: reason as ClosedBy }
      case 'reopened':
        return { at, type, cause: reason, detail: {} }
      case 'acknowledged':
        return { at, type, by, note: text, until }
      case 'unacknowledged':
        return { at, type, by }
      case 'held':
        return { at, type, channel: channelOf(row), reason, text, until }
      case 'dropped':
        return { at, type, channel: channelOf(row), reason, text }
      default:
        return { at, type: 'note', by, note: text }
    }
  })
}

function channelOf(row: { uuid: string | null; name: string | null; kind: string | null }): TimelineChannel {
  return row.uuid === null ? null : { uuid: row.uuid, name: row.name!, kind: row.kind! }
}
