/** Events in words for people. */
import type { RecordedEvent } from './event.js'
import { objectKindOf } from './event-types.js'

/** The nouns of objects as pages name them. */
export const KIND_WORDS: Readonly<Record<string, string>> = {
  check: 'Check',
  incident: 'Incident',
  channel: 'Integration',
  silence: 'Silence',
  policy: 'Policy',
  member: 'Member',
  invitation: 'Invitation',
  key: 'Key',
  token: 'Token',
  project: 'Project',
  webhook: 'Event webhook',
}

const VERBS: Readonly<Record<string, string>> = {
  'check.planned': 'to be deleted or moved',
  'check.unplanned': 'stays after all',
  'check.cleared': 'log deleted',
  'check.restored': 'pause or resume undone',
  'check.down': 'went down',
  'check.up': 'came up',
}

/** What happened, such as "Check updated". */
export function eventWords({ type }: Pick<RecordedEvent, 'type'>): string {
  const kind = objectKindOf(type)
  return `${KIND_WORDS[kind] ?? kind} ${VERBS[type] ?? type.slice(kind.length + 1)}`
}
