import type { RecordedEvent } from '../../core/events/event.js'
import type { EventType } from '../../core/events/event-types.js'
import type { Db } from '../db.js'
import { readWithoutSnapshot } from '../method.js'
import { toEvent } from './event-rows.js'

/** Which events of a project are listed; null: all. Instants in ms. */
export interface EventFilter {
  /** The ID of an object, and its noun. */
  object: string | null
  kind: string | null
  /** Such as `person:UUID`; `punctual`: Punctual itself; `others`: all but that. */
  actor: string | null
  types: readonly EventType[] | null
  from: number | null
  /** Exclusive. */
  to: number | null
}

export const ANY_EVENT: EventFilter = {
  object: null,
  kind: null,
  actor: null,
  types: null,
  from: null,
  to: null,
}

/** Events, newest first, and before which ID older ones are looked for; null: there are none. */
export interface LoggedEvents {
  events: RecordedEvent[]
  next: number | null
}

/**
 * How many events are looked at for one page: one project may have hundreds of thousands, of which none matches the filter.
 */
export const MOST_LOOKED_AT = 20_000

/** Up to `limit` events of a project before an ID (null: the newest). There may be fewer although there are older ones. */
export const log = readWithoutSnapshot(
  async (
    db: Db,
    projectId: number,
    filter: EventFilter,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<LoggedEvents> => {
    const { object, kind, actor, types, from, to } = filter
    // An index has each of these.
    const looked = db.sql
      .selectFrom('events')
      .where('project_id', '=', projectId)
      .$if(before !== null, query => query.where('id', '<', before!))
      .$if(object !== null, query => query.where('object_id', '=', object!))
      .$if(actor !== null && actor !== 'punctual', query => query.where('actor', 'is not', null))
      .orderBy('id', 'desc')
    const further = await looked.select('id').limit(1).offset(MOST_LOOKED_AT).executeTakeFirst()
    const rows = await looked
      .selectAll()
      .$if(further !== undefined, query => query.where('id', '>', further!.id))
      .$if(kind !== null, query =>
        query.where('type', '>=', `${kind}.` as EventType).where('type', '<', `${kind}/` as EventType),
      )
      .$if(actor === 'punctual', query => query.where('actor', 'is', null))
      .$if(actor?.includes(':') === true, query => query.where('actor_key', '=', actor!))
      .$if(types !== null, query => query.where('type', 'in', types!))
      .$if(from !== null, query => query.where('created_at', '>=', from!))
      .$if(to !== null, query => query.where('created_at', '<', to!))
      .limit(limit + 1)
      .execute()
    const events = rows.slice(0, limit).map(toEvent)
    if (rows.length > limit) return { events, next: events.at(-1)!.id }
    return { events, next: further === undefined ? null : further.id + 1 }
  },
)
