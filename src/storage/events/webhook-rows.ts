import type { Selectable } from 'kysely'
import { type FieldValues, MASKED } from '../../core/events/event.js'
import { type EventType, isEventType } from '../../core/events/event-types.js'
import type { Webhook } from '../../core/events/webhook.js'
import type { EventTables } from './event-tables.js'

type Row = Selectable<EventTables['event_webhooks']>

export function toWebhook(row: Row): Webhook {
  return {
    id: row.id,
    uuid: row.uuid,
    projectId: row.project_id,
    name: row.name,
    url: row.url,
    types: row.types.split(' ').filter(isEventType) as EventType[],
    enabled: row.enabled === 1,
    failures: row.failures,
    failingSince: row.failing_since,
    lastError: row.last_error,
    lastSent: row.last_sent,
    createdAt: row.created_at,
  }
}

/** A webhook in events. What follows the origin of its address may be a secret, see {@link withoutPath}. */
export function webhookValues({ name, url, types, enabled }: Webhook): FieldValues {
  return { name, url, types, enabled }
}

/** These values with the secret part of the address masked. */
export function withoutPath(values: FieldValues): FieldValues {
  return typeof values.url === 'string'
    ? { ...values, url: `${new URL(values.url).origin}/${MASKED}` }
    : values
}
