/** What readers of all events read: the stream, and webhooks. */
import { sql } from 'kysely'
import type { RecordedEvent } from '../../core/events/event.js'
import type { EventType } from '../../core/events/event-types.js'
import type { FeedHead } from '../../core/events/watermark.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { poll, readWithoutSnapshot } from '../method.js'
import { MOST_LOOKED_AT } from './event-log.js'
import { toEvent } from './event-rows.js'

/**
 * How far events go, for a reader that has seen them up to `seen`. On PostgreSQL the statement takes a number among the
 * transactions, but only if there is something new: its own is greater than that of every transaction that could commit
 * a smaller ID, because such a transaction had its own before it drew the ID.
 */
export const head = poll(async (db: Db, seen: number): Promise<FeedHead> => {
  if (!db.dialect.hasConcurrentWrites) {
    const [row] = await db.dialect.arrays('SELECT coalesce(max(id), 0) FROM events', [])
    return { newest: Number(row![0]), begun: null, over: null }
  }
  const { rows } = await sql<{ newest: string; begun: string | null; over: string }>`
    WITH last AS (SELECT coalesce(max(id), 0) AS id FROM events)
    SELECT last.id AS newest, CASE WHEN last.id > ${seen} THEN pg_current_xact_id()::text END AS begun,
      pg_snapshot_xmin(pg_current_snapshot())::text AS over FROM last`.execute(db.sql)
  const { newest, begun, over } = rows[0]!
  return { newest: Number(newest), begun: begun === null ? null : Number(begun), over: Number(over) }
})

/** Events of some projects, of these types (empty: all), after one ID and up to another, the oldest first. */
export const between = readWithoutSnapshot(
  async (
    db: Db,
    projectIds: readonly number[],
    {
      after,
      upTo,
      limit,
      types,
    }: { after: number; upTo: number; limit: number; types: readonly EventType[] },
  ): Promise<RecordedEvent[]> => {
    const events: RecordedEvent[] = []
    for (const some of chunks(projectIds, db.dialect.maxParameters - 100)) {
      const rows = await db.sql
        .selectFrom('events')
        .selectAll()
        .where('project_id', 'in', some)
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .$if(types.length > 0, query => query.where('type', 'in', types))
        .orderBy('id')
        .limit(limit)
        .execute()
      events.push(...rows.map(toEvent))
    }
    return events.sort((a, b) => a.id - b.id).slice(0, limit)
  },
)

/** Past events of a project, oldest first, and up to which ID all that were asked for have been read. */
export interface ReplayedEvents {
  events: RecordedEvent[]
  readTo: number
}

/**
 * Up to `limit` events of a project, of these types (empty: all), after one ID and up to another, up to which no further ones may
 * come. It looks at {@link MOST_LOOKED_AT} of the project at most, so there may be fewer although there are more.
 */
export const replay = readWithoutSnapshot(
  async (
    db: Db,
    projectId: number,
    {
      after,
      upTo,
      limit,
      types,
    }: { after: number; upTo: number; limit: number; types: readonly EventType[] },
  ): Promise<ReplayedEvents> => {
    const past = db.sql
      .selectFrom('events')
      .where('project_id', '=', projectId)
      .where('id', '>', after)
      .where('id', '<=', upTo)
      .orderBy('id')
    const last =
      types.length === 0
        ? undefined
        : await past
            .select('id')
            .limit(1)
            .offset(MOST_LOOKED_AT - 1)
            .executeTakeFirst()
    const rows = await past
      .selectAll()
      .$if(types.length > 0, query => query.where('type', 'in', types))
      .$if(last !== undefined, query => query.where('id', '<=', last!.id))
      .limit(limit)
      .execute()
    const events = rows.map(toEvent)
    return { events, readTo: events.length === limit ? events.at(-1)!.id : (last?.id ?? upTo) }
  },
)
