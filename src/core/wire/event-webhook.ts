/** An event webhook in Punctual's own API. */
import { MASKED } from '../events/event.js'
import type { Webhook } from '../events/webhook.js'
import { isoMilliseconds } from './timestamp.js'

/** `secret`: only where it was just made. */
export function eventWebhookShape(webhook: Webhook, secret: string = MASKED): Record<string, unknown> {
  const { uuid, name, url, types, enabled, failures, failingSince, lastError, lastSent, createdAt } = webhook
  return {
    uuid,
    name,
    url,
    types,
    enabled,
    secret,
    failures,
    failing_since: instant(failingSince),
    last_error: lastError,
    last_sent: instant(lastSent),
    created_at: instant(createdAt),
  }
}

export function eventAttemptShape(attempt: {
  eventId: number | null
  type: string
  at: number
  durationMs: number
  status: number | null
  error: string
}): Record<string, unknown> {
  const { eventId, type, at, durationMs, status, error } = attempt
  const event = eventId === null ? null : String(eventId)
  return { event, type, at: instant(at), duration_ms: durationMs, status, error }
}

function instant(ms: number | null): string | null {
  return ms === null ? null : isoMilliseconds(ms)
}
