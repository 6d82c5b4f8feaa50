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

/** The events of a project before an ID (null: the newest), the newest first. */
export const log = readWithoutSnapshot(
  async (
    db: Db,
    projectId: number,
    filter: EventFilter,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<RecordedEvent[]> => {
    const { object, kind, actor, types, from, to } = filter
    const rows = await db.sql
      .selectFrom('events')
      .selectAll()
      .where('project_id', '=', projectId)
      .$if(before !== null, query => query.where('id', '<', before!))
      .$if(object !== null, query => query.where('object_id', '=', object!))
      .$if(kind !== null, query =>
        query.where('type', '>=', `${kind}.` as EventType).where('type', '<', `${kind}/` as EventType),
      )
      .$if(actor === 'punctual', query => query.where('actor', 'is', null))
      .$if(actor === 'others', query => query.where('actor', 'is not', null))
      .$if(actor?.includes(':') === true, query =>
        query.where('actor', 'is not', null).where('actor_key', '=', actor!),
      )
      .$if(types !== null, query => query.where('type', 'in', types!))
      .$if(from !== null, query => query.where('created_at', '>=', from!))
      .$if(to !== null, query => query.where('created_at', '<', to!))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(toEvent)
  },
)
