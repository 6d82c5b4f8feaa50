import type { Selectable } from 'kysely'
import type { RecordedEvent } from '../../core/events/event.js'
import type { EventTables } from './event-tables.js'

/** An event as it is stored. */
export function toEvent(row: Selectable<EventTables['events']>): RecordedEvent {
  return {
    id: row.id,
    projectId: row.project_id,
    at: row.created_at,
    type: row.type,
    object: { id: row.object_id, name: row.object_name },
    actor: row.actor === null ? null : JSON.parse(row.actor),
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  }
}
