// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type Event = {
  /** Grows with time; IDs may be missing. */
  id: string
  type:
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
  at: string
  object: {
    kind:
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
    /** Its ID or UUID in the API. */
    id: string
    /** Its name at that time. */
    name: string
  }
  /** Who did it; null: Punctual itself. */
  actor: {
    kind: 'person' | 'token' | 'key' | 'link' | 'command'
    id: string | null
    name: string
    /** For owners and managers only. */
    address?: string | null
  } | null
  /** The fields that changed, as they were before it. Secrets are masked. */
  before: { [name: string]: unknown } | null
  /** The fields that changed, as they were after it. Secrets are masked. */
  after: { [name: string]: unknown } | null
}
