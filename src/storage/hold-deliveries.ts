/** Deliveries that wait, although they are due: nothing was tried, so nothing is noted of them. */
import { randomUUID } from 'node:crypto'
import type { Notice } from '../core/alert.js'
import { chunks } from './chunks.js'
import type { Db } from './db.js'

export interface Held {
  worker: string
  channelId: number
  until: number
  now: number
  /** Claimed by `worker`, with the rows of the attempts that are not made. */
  deliveries: readonly { uuid: string; notificationUuid: string }[]
  /**
   * `channel`: the channel has no room, so what waits for it is held, and told together afterwards: all of it, or
   * all but falls. `flapping`: these alone are held, since their check keeps changing; `changedAt` is the change that
   * is held back.
   */
  why:
    | {
        type: 'channel'
        holds: 'all' | 'all but falls'
        /** What the recipients are told once in the hour whose limit is reached. */
        announce: Omit<Notice, 'now' | 'site'> | null
      }
    | { type: 'flapping'; changedAt: number }
}

/** Gives claimed deliveries back until an instant. One transaction with the announcement, which is a delivery too. */
export async function holdDeliveries(db: Db, held: Held): Promise<void> {
  const { worker, channelId, until, why } = held
  const together = why.type === 'channel' ? { held: 1 as const } : {}
  for (const some of chunks(held.deliveries, db.dialect.maxParameters - 8)) {
    await db.sql
      .deleteFrom('notifications')
      .where(
        'uuid',
        'in',
        some.map(({ notificationUuid }) => notificationUuid),
      )
      .execute()
    const given = await db.sql
      .updateTable('deliveries')
      .set({ due_at: until, claimed_by: null, claimed_until: null, ...together })
      .where(
        'uuid',
        'in',
        some.map(({ uuid }) => uuid),
      )
      .where('claimed_by', '=', worker)
      .returning('check_id')
      .execute()
    if (why.type === 'flapping') await noteChange(db, channelId, given, why.changedAt)
  }
  if (why.type === 'flapping') return
  let others = db.sql
    .updateTable('deliveries')
    .set({ due_at: until, held: 1 })
    .where('channel_id', '=', channelId)
    .where('flip_id', 'is not', null)
    .where('claimed_by', 'is', null)
    .where('due_at', '<', until)
  if (why.holds === 'all but falls') {
    const falls = db.sql.selectFrom('flips').select('id').where('new_status', '=', 'down')
    others = others.where('flip_id', 'not in', falls)
  }
  await others.execute()
  if (why.announce) await announce(db, held, why.announce, why.holds)
}

async function noteChange(
  db: Db,
  channelId: number,
  held: readonly { check_id: number | null }[],
  changedAt: number,
): Promise<void> {
  const checkIds = held.flatMap(({ check_id }) => (check_id === null ? [] : [check_id]))
  if (checkIds.length === 0) return
  await db.sql
    .updateTable('flapping')
    .set({ changed_at: changedAt })
    .where('channel_id', '=', channelId)
    .where('check_id', 'in', checkIds)
    .execute()
}

/**
 * Several processes may find the limit reached at once; one of them announces it. That falls have no room any more
 * is announced even if it was already announced that the rest has none.
 */
async function announce(
  db: Db,
  { channelId, now }: Held,
  notice: Omit<Notice, 'now' | 'site'>,
  holds: 'all' | 'all but falls',
): Promise<void> {
  const announced = holds === 'all' ? 'falls_announced' : 'others_announced'
  const first = await db.sql
    .updateTable('channels')
    .set(eb => ({
      others_announced: eb.ref('hour_from'),
      ...(holds === 'all' ? { falls_announced: eb.ref('hour_from') } : {}),
    }))
    .where('id', '=', channelId)
    .where(eb => eb.or([eb(announced, 'is', null), eb(announced, '!=', eb.ref('hour_from'))]))
    .returning('id')
    .executeTakeFirst()
  if (!first) return
  await db.sql
    .insertInto('deliveries')
    .values({
      uuid: randomUUID(),
      channel_id: channelId,
      notice: JSON.stringify(notice),
      due_at: now,
      created_at: now,
    })
    .execute()
}
