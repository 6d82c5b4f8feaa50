import { randomUUID } from 'node:crypto'
import type { Again, Change } from '../../core/alerts/delivery/change.js'
import { undoableUntil } from '../../core/checks/undo.js'
import { chunks } from '../chunks.js'
import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { prepared } from '../prepared.js'

/** A change of a check that a channel may have to be sent. */
export interface NewDelivery {
  checkId: number
  flipId: number
  channelId: number
  /** The group that the channel is reached through, or null. */
  groupId: number | null
  incidentId: number | null
  /** Set if nothing changed: it asks that the incident is sent once more. */
  again?: Again
}

const COLUMNS = 9

/** Adds deliveries that are due at once, or later. */
export async function addDeliveries(
  db: Db,
  deliveries: readonly NewDelivery[],
  now: number,
  dueAt = now,
): Promise<void> {
  for (const some of chunks(deliveries, Math.floor(db.dialect.maxParameters / COLUMNS))) {
    await db.sql
      .insertInto('deliveries')
      .values(
        some.map(({ checkId, flipId, channelId, groupId, incidentId, again }) => ({
          uuid: randomUUID(),
          channel_id: channelId,
          check_id: checkId,
          flip_id: flipId,
          group_id: groupId,
          incident_id: incidentId,
          again: again ?? null,
          due_at: dueAt,
          created_at: now,
        })),
      )
      .execute()
  }
}

/** The columns of a delivery that was never tried. */
export const UNTRIED = {
  closing: null,
  attempts: 0,
  charged: 0,
  superseded: 0,
  held_by: null,
  delayed: 0,
  again: null,
  follows: 0,
  claimed_by: null,
  claimed_until: null,
} as const

/** What waits about checks; `channelIds`: only for these channels. */
interface WaitingAbout {
  checkIds: readonly number[]
  channelIds?: readonly number[]
}

/** Lets it wait until an instant, but for what is being sent. See {@link endPostponement}. */
export async function postpone(
  db: Db,
  { checkIds, channelIds }: WaitingAbout,
  now: number,
  dueAt: number,
): Promise<void> {
  await db.sql
    .updateTable('deliveries')
    .set(eb => ({ due_at: dueAt, due_before: eb.ref('due_at') }))
    .where('check_id', 'in', checkIds)
    .$if(channelIds !== undefined, query => query.where('channel_id', 'in', channelIds!))
    .where('due_at', '<', dueAt)
    .where(unclaimed(now))
    .execute()
}

/** What was postponed until `dueAt`, or to a later time than now, is due when it was before. Returns whether anything was. */
export async function endPostponement(
  db: Db,
  { checkIds, channelIds, dueAt }: WaitingAbout & { dueAt?: number },
  now: number,
): Promise<boolean> {
  const ended = await db.sql
    .updateTable('deliveries')
    .set(eb => ({ due_at: eb.ref('due_before').$notNull(), due_before: null }))
    .where('check_id', 'in', checkIds)
    .$if(channelIds !== undefined, query => query.where('channel_id', 'in', channelIds!))
    .where('due_before', 'is not', null)
    .where('due_at', '>', now)
    .where('due_at', dueAt === undefined ? '<=' : '=', dueAt ?? undoableUntil(now))
    .where(unclaimed(now))
    .returning('id')
    .execute()
  return ended.length > 0
}

type Counts = Pick<Change, 'superseded' | 'missed' | 'delayed' | 'charged' | 'createdAt'>

/** Stores the number of changes that a delivery replaces, what was counted for them, and since when there has been something to send. */
export async function keepCounts(
  db: Db,
  { id, change }: { id: number; change: Counts | null },
  { superseded, missed, delayed, charged, createdAt }: Counts,
): Promise<void> {
  const isKept =
    change?.superseded === superseded &&
    change.missed === missed &&
    change.delayed === delayed &&
    change.charged === charged &&
    change.createdAt === createdAt
  if (isKept) return
  const bits = { missed: missed ? 1 : 0, delayed: delayed ? 1 : 0 } as const
  await keep.all(db, { id, superseded, charged, createdAt, ...bits })
}

interface KeptCounts extends Record<string, number> {
  id: number
  superseded: number
  charged: number
  createdAt: number
  missed: 0 | 1
  delayed: 0 | 1
}

const keep = prepared((sql, value: KeptCounts) =>
  sql
    .updateTable('deliveries')
    .set({
      superseded: value.superseded,
      charged: value.charged,
      created_at: value.createdAt,
      missed: value.missed,
      delayed: value.delayed,
    })
    .where('id', '=', value.id),
)
