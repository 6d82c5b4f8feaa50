import { type RecordedEvent, withoutInvited } from '../../../core/events/event.js'
import { may } from '../../../core/people/role.js'
import { isUuid } from '../../../core/text/uuid.js'
import { eventShape } from '../../../core/wire/event.js'
import { uniqueKey } from '../../../storage/checks/checks.js'
import type { Access } from '../serve/caller.js'

/**
 * An event as this reader may see it. Anyone who knows a UUID can ping its check, so readers who may not change anything
 * see unique keys in place of all UUIDs. Addresses, of machines and of invited people, are for owners and managers.
 */
export function eventFor(event: RecordedEvent, { kind, role }: Pick<Access, 'kind' | 'role'>): object {
  const manages = kind === 'rw' && may(role, 'manage')
  const shape = eventShape(manages ? event : withoutInvited(event), manages)
  return kind === 'rw' ? shape : (withoutUuids(shape) as object)
}

const texts = new WeakMap<RecordedEvent, Map<string, string>>()

/** The JSON of {@link eventFor}, made once for all readers with the same rights. */
export function eventText(event: RecordedEvent, access: Pick<Access, 'kind' | 'role'>): string {
  const rights = `${access.kind} ${access.role}`
  const known = texts.get(event) ?? new Map<string, string>()
  const text = known.get(rights) ?? JSON.stringify(eventFor(event, access))
  texts.set(event, known.set(rights, text))
  return text
}

function withoutUuids(value: unknown): unknown {
  if (typeof value === 'string') return isUuid(value) ? uniqueKey(value) : value
  if (Array.isArray(value)) return value.map(withoutUuids)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutUuids(one)]))
}
