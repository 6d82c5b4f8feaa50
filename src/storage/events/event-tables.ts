import type { Generated } from 'kysely'
import type { EventType } from '../../core/events/event-types.js'

export interface EventTables {
  events: {
    id: Generated<number>
    project_id: number
    created_at: number
    type: EventType
    object_id: string
    object_name: string
    /** JSON of an `EventActor`. */
    actor: string | null
    actor_key: string | null
    /** JSON. */
    before: string | null
    after: string | null
  }
  event_webhooks: {
    id: Generated<number>
    uuid: string
    name: Generated<string>
    project_id: number
    url: string
    types: string
    secret: string
    enabled: Generated<0 | 1>
    delivered_id: number
    due_at: number
    claimed_by: Generated<string | null>
    claimed_until: Generated<number | null>
    failures: Generated<number>
    failing_since: Generated<number | null>
    last_error: Generated<string>
    last_sent: Generated<number | null>
    created_at: number
  }
  event_attempts: {
    id: Generated<number>
    webhook_id: number
    event_id: number | null
    type: string
    created_at: number
    duration_ms: number
    status: number | null
    error: string
  }
}
