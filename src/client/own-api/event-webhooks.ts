// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type EventWebhook = {
  uuid: string
  name: string
  url: string
  types: (
    | 'check.created'
    | 'check.updated'
    | 'check.deleted'
    | 'check.paused'
    | 'check.resumed'
    | 'check.restored'
    | 'check.cleared'
    | 'check.moved'
    | 'check.planned'
    | 'check.unplanned'
    | 'check.down'
    | 'check.up'
    | 'incident.opened'
    | 'incident.reopened'
    | 'incident.closed'
    | 'incident.acknowledged'
    | 'incident.unacknowledged'
    | 'incident.noted'
    | 'channel.created'
    | 'channel.updated'
    | 'channel.deleted'
    | 'silence.created'
    | 'silence.updated'
    | 'silence.ended'
    | 'policy.created'
    | 'policy.updated'
    | 'policy.deleted'
    | 'member.added'
    | 'member.updated'
    | 'member.removed'
    | 'invitation.created'
    | 'invitation.ended'
    | 'key.created'
    | 'key.revoked'
    | 'token.created'
    | 'token.updated'
    | 'token.revoked'
    | 'project.created'
    | 'project.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.disabled'
    | 'webhook.deleted'
  )[]
  enabled: boolean
  /** Masked, except where it was just made. */
  secret: string
  /** In a row. */
  failures: number
  failing_since: string | null
  last_error: string
  /** When an event last arrived. */
  last_sent: string | null
  created_at: string
}

export type NewEventWebhook = {
  name: string
  /** Where the events are sent. */
  url: string
  /** Only these types; a kind, such as `check`, stands for all of its types. Empty: all. */
  types?: (
    | 'check.created'
    | 'check.updated'
    | 'check.deleted'
    | 'check.paused'
    | 'check.resumed'
    | 'check.restored'
    | 'check.cleared'
    | 'check.moved'
    | 'check.planned'
    | 'check.unplanned'
    | 'check.down'
    | 'check.up'
    | 'incident.opened'
    | 'incident.reopened'
    | 'incident.closed'
    | 'incident.acknowledged'
    | 'incident.unacknowledged'
    | 'incident.noted'
    | 'channel.created'
    | 'channel.updated'
    | 'channel.deleted'
    | 'silence.created'
    | 'silence.updated'
    | 'silence.ended'
    | 'policy.created'
    | 'policy.updated'
    | 'policy.deleted'
    | 'member.added'
    | 'member.updated'
    | 'member.removed'
    | 'invitation.created'
    | 'invitation.ended'
    | 'key.created'
    | 'key.revoked'
    | 'token.created'
    | 'token.updated'
    | 'token.revoked'
    | 'project.created'
    | 'project.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.disabled'
    | 'webhook.deleted'
    | 'check'
    | 'incident'
    | 'channel'
    | 'silence'
    | 'policy'
    | 'member'
    | 'invitation'
    | 'key'
    | 'token'
    | 'project'
    | 'webhook'
  )[]
  enabled?: boolean
}

/** What is to be changed. */
export type EventWebhookChanges = {
  name?: string
  /** Where the events are sent. */
  url?: string
  /** Only these types; a kind, such as `check`, stands for all of its types. Empty: all. */
  types?: (
    | 'check.created'
    | 'check.updated'
    | 'check.deleted'
    | 'check.paused'
    | 'check.resumed'
    | 'check.restored'
    | 'check.cleared'
    | 'check.moved'
    | 'check.planned'
    | 'check.unplanned'
    | 'check.down'
    | 'check.up'
    | 'incident.opened'
    | 'incident.reopened'
    | 'incident.closed'
    | 'incident.acknowledged'
    | 'incident.unacknowledged'
    | 'incident.noted'
    | 'channel.created'
    | 'channel.updated'
    | 'channel.deleted'
    | 'silence.created'
    | 'silence.updated'
    | 'silence.ended'
    | 'policy.created'
    | 'policy.updated'
    | 'policy.deleted'
    | 'member.added'
    | 'member.updated'
    | 'member.removed'
    | 'invitation.created'
    | 'invitation.ended'
    | 'key.created'
    | 'key.revoked'
    | 'token.created'
    | 'token.updated'
    | 'token.revoked'
    | 'project.created'
    | 'project.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.disabled'
    | 'webhook.deleted'
    | 'check'
    | 'incident'
    | 'channel'
    | 'silence'
    | 'policy'
    | 'member'
    | 'invitation'
    | 'key'
    | 'token'
    | 'project'
    | 'webhook'
  )[]
  enabled?: boolean
}

export type EventAttempt = {
  /** The ID of the event; null: a test. */
  event: string | null
  type: string
  at: string
  duration_ms: number
  /** Null: there was no answer. */
  status: number | null
  /** Empty: it arrived. */
  error: string
}
