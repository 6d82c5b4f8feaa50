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

/** A changed field in words: its name, and its value before and after; null: there was or is none. */
export interface ShownChange {
  field: string
  before: string | null
  after: string | null
}

/** The fields that an event changed. */
export function shownChanges({ before, after }: Pick<RecordedEvent, 'before' | 'after'>): ShownChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.map(name => ({
    field: name.replace(/^settings\./, '').replaceAll('_', ' '),
    before: before && name in before ? valueWords(before[name]) : null,
    after: after && name in after ? valueWords(after[name]) : null,
  }))
}

const LONGEST = 200

function valueWords(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
