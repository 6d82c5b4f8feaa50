/** The types of events: the noun of an object, and what happened to it. */

/** Each type with its meaning, as in the documentation. Types are added, and never change their meaning. */
export const EVENT_TYPES = {
  'check.created': 'A check was created.',
  'check.updated': 'Settings, channels, dependencies or the policy of a check changed.',
  'check.deleted': 'A check was deleted.',
  'check.paused': 'A check was paused.',
  'check.resumed': 'A paused check was resumed.',
  'check.restored': 'A pause or a resume was undone.',
  'check.cleared': 'The log of a check was deleted.',
  'check.moved': 'A check was moved from or to another project; each of the two has the event.',
  'check.planned': 'A person deletes or moves a check, and can still undo it.',
  'check.unplanned': 'A planned deletion or move was undone.',
  'check.down': 'A check went down.',
  'check.up': 'A check came up.',
  'incident.opened': 'An incident began.',
  'incident.reopened': 'A check went down again soon after its incident had ended.',
  'incident.closed': 'An incident ended.',
  'incident.acknowledged': 'An incident was acknowledged.',
  'incident.unacknowledged': 'The acknowledgement of an incident was taken back.',
  'incident.noted': 'A note was written about an incident.',
  'channel.created': 'An integration was added.',
  'channel.updated': 'An integration was changed, enabled, disabled or confirmed.',
  'channel.deleted': 'An integration was removed.',
  'silence.created': 'A silence was created.',
  'silence.updated': 'A silence was changed.',
  'silence.ended': 'A silence was ended before its time.',
  'policy.created': 'A policy was created.',
  'policy.updated': 'A policy was changed.',
  'policy.deleted': 'A policy was deleted.',
  'member.added': 'A person became a member of the project.',
  'member.updated': 'The role of a member changed.',
  'member.removed': 'A person is no longer a member of the project.',
  'invitation.created': 'A person was invited.',
  'invitation.ended': 'An invitation was accepted, withdrawn or replaced, or who made it lost their access.',
  'key.created': 'An API key or a ping key was created.',
  'key.revoked': 'An API key or a ping key was revoked.',
  'token.created': 'A token was created.',
  'token.updated': 'A token was changed.',
  'token.revoked': 'A token was revoked.',
  'project.created': 'The project was created.',
  'project.updated': 'The name, the owner or a setting of the project changed.',
  'webhook.created': 'An event webhook was created.',
  'webhook.updated': 'An event webhook was changed.',
  'webhook.disabled': 'Punctual disabled an event webhook, because it failed for days.',
  'webhook.deleted': 'An event webhook was deleted.',
} as const

export type EventType = keyof typeof EVENT_TYPES

export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[]

/** The nouns of the objects that events are about. */
export const OBJECT_KINDS = [...new Set(EVENT_TYPE_NAMES.map(objectKindOf))]

export type ObjectKind = EventType extends `${infer Kind}.${string}`
  ? string extends Kind
    ? never
    : Kind
  : never

/** The noun of the object of an event. */
export function objectKindOf(type: EventType): string {
  return type.slice(0, type.indexOf('.'))
}

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENT_TYPES, text)
}
