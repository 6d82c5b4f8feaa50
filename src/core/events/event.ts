/** An event: what was changed, by whom, or what happened to a check. */
import type { EventActor } from './actor.js'
import type { EventType } from './event-types.js'

/** The values of changed fields, by their names in the API. Secrets are masked. */
export type FieldValues = Readonly<Record<string, unknown>>

export interface RecordedEvent {
  /** Increases with time; numbers may be missing. */
  id: number
  projectId: number
  /** ms. */
  at: number
  type: EventType
  /** The ID of the object in the API, and its name then. */
  object: { id: string; name: string }
  /** Null: Punctual itself. */
  actor: EventActor | null
  /** Only fields that changed; null: there was nothing before, or is nothing after. */
  before: FieldValues | null
  after: FieldValues | null
}

/** What is shown in place of a secret. */
export const MASKED = '••••••'

/**
 * The event as readers see it who may not manage the project: like its settings, it shows them no address of a person who was
 * only invited.
 */
export function withoutInvited(event: RecordedEvent): RecordedEvent {
  if (!event.type.startsWith('invitation.')) return event
  const masked = (values: FieldValues | null) =>
    values && { ...values, ...(values.email ? { email: MASKED } : {}) }
  const { object, before, after } = event
  const name = object.name === '' ? '' : MASKED
  return { ...event, object: { ...object, name }, before: masked(before), after: masked(after) }
}

/** The fields that differ, each before and after; null if none does. */
export function changedFields(
  before: FieldValues,
  after: FieldValues,
): { before: FieldValues; after: FieldValues } | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (changed.length === 0) return null
  const pick = (values: FieldValues) => Object.fromEntries(changed.map(name => [name, values[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}

/** The maximum length of a text in an event, and of a list. */
const TEXT_KEPT = 2_000
const ITEMS_KEPT = 200

/**
 * The values as JSON. Long texts and lists are cut, and say so: a reader gets hundreds of events at once, and none of them may
 * be as large as a request can be.
 */
export function eventJson(values: FieldValues): string {
  const json = JSON.stringify(values)
  // Each item of a list takes two characters or more.
  if (json.length < Math.min(TEXT_KEPT, 2 * ITEMS_KEPT)) return json
  return JSON.stringify(values, (_, value: unknown) => {
    if (typeof value === 'string' && value.length > TEXT_KEPT) {
      return `${value.slice(0, TEXT_KEPT)}… (${value.length} characters)`
    }
    if (Array.isArray(value) && value.length > ITEMS_KEPT) {
      return [...value.slice(0, ITEMS_KEPT), `… (${value.length} items)`]
    }
    return value
  })
}
