import type { Selectable } from 'kysely'
import type { FieldValues, RecordedEvent } from '../../core/events/event.js'
import type { EventType } from '../../core/events/event-types.js'
import { withoutPasswords } from './channel-values.js'
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
    before: valuesOf(row.type, row.before),
    after: valuesOf(row.type, row.after),
  }
}

/** Events of channels that older versions recorded have passwords in the addresses of servers. */
function valuesOf(type: EventType, json: string | null): FieldValues | null {
  if (json === null) return null
  const values: FieldValues = JSON.parse(json)
  return type.startsWith('channel.') ? withoutPasswords(values) : values
}
