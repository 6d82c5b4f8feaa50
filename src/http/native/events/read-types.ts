import { typesNamed } from '../../../core/events/event-filter.js'
import type { EventType } from '../../../core/events/event-types.js'
import type { QueryParameter } from '../query.js'

/** Types of events, and nouns for all of theirs, with commas between them. */
export const typesParameter: QueryParameter<EventType[]> = {
  read: text => typesNamed(text.split(',')) ?? undefined,
  wrong: 'not a list of types of events, such as check.down,incident',
}
