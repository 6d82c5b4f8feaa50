/** An event in Punctual's own API, in the stream and in webhooks: the same everywhere. */
import type { RecordedEvent } from '../events/event.js'
import { objectKindOf } from '../events/event-types.js'
import { isoMilliseconds } from './timestamp.js'

/** `withAddresses`: whether the reader may see from which addresses changes came. */
export function eventShape(event: RecordedEvent, withAddresses: boolean): Record<string, unknown> {
  const { id, at, type, object, actor, before, after } = event
  return {
    id: String(id),
    type,
    at: isoMilliseconds(at),
    object: { kind: objectKindOf(type), ...object },
    actor: actor && {
      kind: actor.kind,
      id: actor.id,
      name: actor.name,
      ...(withAddresses && { address: actor.address }),
    },
    before,
    after,
  }
}
