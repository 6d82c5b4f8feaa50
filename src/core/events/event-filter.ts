/** Which events a reader asks for. */
import { EVENT_TYPE_NAMES, type EventType, isEventType, OBJECT_KINDS, objectKindOf } from './event-types.js'

/** The types that a list names: types, and nouns for all of theirs (`check`). Null if one is neither. */
export function typesNamed(names: readonly string[]): EventType[] | null {
  const types = new Set<EventType>()
  for (const name of names) {
    if (isEventType(name)) types.add(name)
    else if (!OBJECT_KINDS.includes(name)) return null
    else for (const type of EVENT_TYPE_NAMES) if (objectKindOf(type) === name) types.add(type)
  }
  return [...types]
}
