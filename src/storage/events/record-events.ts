/** The one place where events are recorded, in the transaction of the change. Decision 0121. */
import type { Flip } from '../../core/checks/flip.js'
import type { EventActor } from '../../core/events/actor.js'
import { changedFields, eventJson, type FieldValues } from '../../core/events/event.js'
import type { EventType } from '../../core/events/event-types.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'

export interface NewEvent {
  projectId: number
  type: EventType
  /** The ID of the object in the API, and its name. */
  object: { id: string | number; name: string }
  /** Only what changed; absent: there was nothing before, or is nothing after. */
  before?: FieldValues | null
  after?: FieldValues | null
  /** Who did it, if not simply the one who acts; null: Punctual itself. */
  actor?: EventActor | null | undefined
  /** When it happened, if not just now (ms). */
  at?: number
}

/** The number of events that are certainly one statement, see `preparedList`. */
const TOGETHER = 32

/**
 * Records what was changed at `now` (ms). It is called after the change itself, so that on PostgreSQL the transaction
 * has its ID before the event has one: readers depend on it, see event-feed.ts.
 */
export async function recordEvents(db: Db, events: readonly NewEvent[], now: number): Promise<void> {
  const rows = events.map(({ projectId, type, object, before, after, actor = db.actor, at = now }) => ({
    projectId,
    at,
    type,
    id: String(object.id),
    name: object.name,
    ...actorColumns(actor),
    before: jsonOf(before),
    after: jsonOf(after),
  }))
  await sendInserted(db, rows.length, () => insert(db, {}, rows))
}

/** Records one event, see {@link recordEvents}. */
export async function recordEvent(db: Db, event: NewEvent, now: number): Promise<void> {
  await recordEvents(db, [event], now)
}

/** Records what a change of an object changed, unless that is nothing. */
export async function recordChange(
  db: Db,
  event: Omit<NewEvent, 'before' | 'after'> & { before: FieldValues; after: FieldValues },
  now: number,
): Promise<void> {
  const changed = changedFields(event.before, event.after)
  if (changed) await recordEvents(db, [{ ...event, ...changed }], now)
}

/** Records the flips of checks to up and to down. */
export async function recordFlips(db: Db, flips: readonly { checkId: number; flip: Flip }[]): Promise<void> {
  const rows = flips.flatMap(({ checkId, flip: { createdAt, oldStatus, newStatus, reason } }) => {
    if (newStatus !== 'up' && newStatus !== 'down') return []
    const type: EventType = `check.${newStatus}`
    const after = { status: newStatus, ...(reason === '' ? {} : { cause: reason }) }
    return [{ checkId, at: createdAt, type, before: jsonOf({ status: oldStatus }), after: jsonOf(after) }]
  })
  if (db.dialect.isDistributed || rows.length > TOGETHER) return await insertFlipsApart(db, rows)
  await sendInserted(db, rows.length, () => insertFlips(db, actorColumns(db.actor), rows))
}

/**
 * As `insertFlips`, where a row that is added cannot contain what other servers have; of many flips also elsewhere, because
 * PostgreSQL plans a statement with three queries for each row longer than it runs.
 */
async function insertFlipsApart(db: Db, flips: readonly FlipValues[]): Promise<void> {
  const rows = await db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select(['c.id', 'c.project_id as projectId', 'c.uuid', 'd.name'])
    .where(
      'c.id',
      'in',
      flips.map(({ checkId }) => checkId),
    )
    .execute()
  const checks = new Map(rows.map(row => [row.id, row]))
  const events = flips.flatMap(({ checkId, ...flip }) => {
    const check = checks.get(checkId)
    if (!check) return []
    return [
      { projectId: check.projectId, id: check.uuid, name: check.name, ...flip, ...actorColumns(db.actor) },
    ]
  })
  if (events.length > 0) await insert(db, {}, events)
}

interface EventValues {
  projectId: number
  at: number
  type: EventType
  id: string
  name: string
  actor: string | null
  actorKey: string | null
  before: string | null
  after: string | null
}

const insert = preparedList((sql, _: Record<never, never>, items: Pick<EventValues, keyof EventValues>[]) =>
  sql.insertInto('events').values(
    items.map(({ projectId, at, type, id, name, actor, actorKey, before, after }) => ({
      project_id: projectId,
      created_at: at,
      type,
      object_id: id,
      object_name: name,
      actor,
      actor_key: actorKey,
      before,
      after,
    })),
  ),
)

type FlipValues = Pick<EventValues, 'at' | 'type' | 'before' | 'after'> & { checkId: number }

const insertFlips = preparedList((sql, actor: Pick<EventValues, 'actor' | 'actorKey'>, items: FlipValues[]) =>
  sql.insertInto('events').values(eb =>
    items.map(({ checkId, at, type, before, after }) => {
      const check = eb.selectFrom('checks').where('id', '=', checkId)
      return {
        project_id: check.select('project_id'),
        created_at: at,
        type,
        object_id: check.select('uuid'),
        object_name: eb.selectFrom('check_details').select('name').where('check_id', '=', checkId),
        actor: actor.actor,
        actor_key: actor.actorKey,
        before,
        after,
      }
    }),
  ),
)

/** Nothing needs the result, so where that saves a round trip it is not awaited. */
async function sendInserted(db: Db, count: number, send: () => Promise<unknown>): Promise<void> {
  if (count === 0) return
  const sent = send()
  if (db.sendWithCommit && count <= TOGETHER) db.sendWithCommit(sent)
  else await sent
}

function actorColumns(actor: EventActor | null) {
  return {
    actor: actor && JSON.stringify(actor),
    actorKey: actor && `${actor.kind}:${actor.id ?? ''}`,
  }
}

function jsonOf(values: FieldValues | null | undefined): string | null {
  return values ? eventJson(values) : null
}
