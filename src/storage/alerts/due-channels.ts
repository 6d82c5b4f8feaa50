/** Finds the channels with something due, in a time that does not depend on how much is due for one of them. */

import { unclaimed } from '../claims.js'
import type { Db } from '../db.js'
import { poll } from '../method.js'
import { prepared } from '../prepared.js'
import { walkDue } from '../walk-due.js'

export interface DueChannel {
  id: number
  projectId: number
  kind: string
  settings: Record<string, string>
  /** The duration of its last message (ms) if it arrived; null if it did not, or if there was none. */
  answeredWithin: number | null
}

export interface DueChannels {
  channels: DueChannel[]
  /** If nothing is due: when something will be (ms), or null. */
  next: number | null
  /** Where the next walk continues; 0 after the last channel. See {@link dueChannels}. */
  cursor: number
  /** Whether there was a walk, because many deliveries are due. */
  walked: boolean
}

/** The number of oldest and of newest due deliveries that are examined, and of channels per walk. */
const OLDEST = 256
const NEWEST = 256
const STEPS = 256

const DELIVERIES = { table: 'deliveries', whose: 'channel_id', due: 'due_at' }

interface DueQuery {
  now: number
  /** Which claims have ended; default `now`. */
  endedBefore?: number
  cursor: number
  also?: readonly number[]
}

/**
 * The channels of the oldest due deliveries, and those of `also` with something due. If very many are due, others may
 * be behind them, so the newest ones are looked at too, and a walk over the channels with deliveries finds more: from
 * `cursor` on, a bounded number at a time, so that repeated walks pass every channel.
 */
export const dueChannels = poll(
  async (db: Db, { now, endedBefore = now, cursor, also = [] }: DueQuery): Promise<DueChannels> => {
    const oldest = await oldestDue.all(db, { now, endedBefore, most: OLDEST })
    if (oldest.length === 0) {
      const [row] = await nextDue.all(db, { endedBefore })
      return { channels: [], next: row?.due_at ?? null, cursor, walked: false }
    }
    const ids = new Set(oldest.map(row => row.channel_id))
    const unseen = also.filter(id => !ids.has(id))
    if (unseen.length > 0) for (const { id } of await dueAmong(db, unseen, { now, endedBefore })) ids.add(id)
    let at = cursor
    const isFull = oldest.reduce((sum, { due }) => sum + Number(due), 0) === OLDEST
    if (isFull) {
      for (const { channel_id } of await newestDue.all(db, { now, endedBefore, most: NEWEST }))
        ids.add(channel_id)
      const passed = await walkDue(db, DELIVERIES, cursor, STEPS)
      for (const { id, dueAt } of passed) if (dueAt <= now) ids.add(id)
      // The end was reached: the next walk starts over.
      at = passed.length < STEPS ? 0 : passed.at(-1)!.id
    }
    const rows = await db.sql
      .selectFrom('channels')
      .select(['id', 'project_id', 'kind', 'settings', 'last_notify', 'last_duration', 'last_error'])
      .where('id', 'in', [...ids])
      // On both engines, so that logs name the channels of one alert in one order.
      .orderBy('id')
      .execute()
    return {
      channels: rows.map(row => ({
        id: row.id,
        projectId: row.project_id,
        kind: row.kind,
        settings: JSON.parse(row.settings),
        answeredWithin: row.last_notify !== null && row.last_error === '' ? row.last_duration : null,
      })),
      next: null,
      cursor: at,
      walked: isFull,
    }
  },
)

const oldestDue = firstDue('asc')
const newestDue = firstDue('desc')

/** The channels of the first due deliveries, each with how many of those it has. */
function firstDue(order: 'asc' | 'desc') {
  return prepared((sql, value: { now: number; endedBefore: number; most: number }) =>
    sql
      .selectFrom(from =>
        from
          .selectFrom('deliveries')
          .select('channel_id')
          .where('due_at', '<=', value.now)
          .where(unclaimed(value.endedBefore))
          .orderBy('due_at', order)
          .limit(value.most)
          .as('first'),
      )
      .select(eb => ['channel_id', eb.fn.countAll<number>().as('due')])
      .groupBy('channel_id'),
  )
}

async function dueAmong(
  db: Db,
  ids: readonly number[],
  { now, endedBefore }: Required<Pick<DueQuery, 'now' | 'endedBefore'>>,
): Promise<{ id: number }[]> {
  return await db.sql
    .selectFrom('channels as c')
    .select('c.id')
    .where('c.id', 'in', ids)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries as d')
          .select('d.id')
          .whereRef('d.channel_id', '=', 'c.id')
          .where('d.due_at', '<=', now)
          .where(unclaimed(endedBefore, 'd')),
      ),
    )
    .execute()
}

const nextDue = prepared((sql, value: { endedBefore: number }) =>
  sql
    .selectFrom('deliveries')
    .select('due_at')
    .where(unclaimed(value.endedBefore))
    .orderBy('due_at')
    .limit(1),
)
