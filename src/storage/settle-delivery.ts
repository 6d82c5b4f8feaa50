/** What became of an attempt. One transaction: the delivery, its attempt's row, and the channel's state. */
import type { Notice } from '../core/alert.js'
import type { Db } from './db.js'
import { disableChannel } from './disable-channel.js'

/** The outcome of one attempt at a claimed delivery. Instants and durations in ms. */
export interface Settlement {
  worker: string
  deliveryUuid: string
  notificationUuid: string
  startedAt: number
  durationMs: number
  now: number
  outcome:
    | { type: 'sent' }
    /** The channel does not tell of this direction: nothing is stored. */
    | { type: 'unwanted' }
    /** A newer change of the same check is told instead. */
    | { type: 'superseded' }
    | { type: 'retry'; error: string; dueAt: number }
    | { type: 'gave-up'; error: string }
    /** Trying again is of no use: the channel is disabled, and the project's other channels hear of it. */
    | { type: 'disable'; error: string; notice: Omit<Notice, 'now' | 'site'> }
}

/** The longest error text kept. */
const ERROR_LENGTH = 200

/** Settles an attempt. Returns false when the claim was lost meanwhile (then only the attempt is noted). */
export async function settleDelivery(db: Db, settlement: Settlement): Promise<boolean> {
  const { outcome, notificationUuid } = settlement
  const delivery = await db.sql
    .selectFrom('deliveries')
    .selectAll()
    .where('uuid', '=', settlement.deliveryUuid)
    .where('claimed_by', '=', settlement.worker)
    .executeTakeFirst()
  const error = 'error' in outcome ? outcome.error.slice(0, ERROR_LENGTH) : ''
  if (outcome.type === 'unwanted') {
    await db.sql.deleteFrom('notifications').where('uuid', '=', notificationUuid).execute()
  } else {
    await db.sql
      .updateTable('notifications')
      .set({
        error: outcome.type === 'superseded' ? 'Superseded by a newer status change' : error,
        duration: settlement.durationMs,
      })
      .where('uuid', '=', notificationUuid)
      .execute()
  }
  if (!delivery) return false
  if (outcome.type === 'retry') {
    await db.sql
      .updateTable('deliveries')
      .set({
        attempts: delivery.attempts + 1,
        due_at: outcome.dueAt,
        claimed_by: null,
        claimed_until: null,
      })
      .where('id', '=', delivery.id)
      .execute()
  } else {
    await db.sql.deleteFrom('deliveries').where('id', '=', delivery.id).execute()
  }
  if (outcome.type === 'superseded') await passOn(db, delivery)
  if (outcome.type === 'superseded' || outcome.type === 'unwanted') return true
  await noteOnChannels(db, delivery, settlement, error)
  if (outcome.type === 'disable')
    await disableChannel(db, delivery.channel_id, outcome.notice, settlement.now)
  return true
}

/** The next change of the same check for the same channel says that an older one was not told. */
async function passOn(
  db: Db,
  delivery: { channel_id: number; check_id: number | null; superseded: number },
): Promise<void> {
  const next = await db.sql
    .selectFrom('deliveries')
    .select('id')
    .where('channel_id', '=', delivery.channel_id)
    .where('check_id', '=', delivery.check_id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!next) return
  await db.sql
    .updateTable('deliveries')
    .set({ superseded: delivery.superseded + 1 })
    .where('id', '=', next.id)
    .execute()
}

async function noteOnChannels(
  db: Db,
  delivery: { channel_id: number; group_id: number | null },
  settlement: Settlement,
  error: string,
): Promise<void> {
  const ids = [delivery.channel_id, ...(delivery.group_id === null ? [] : [delivery.group_id])]
  await db.sql
    .updateTable('channels')
    .set({
      last_notify: settlement.startedAt,
      last_duration: settlement.durationMs,
      last_error: error,
    })
    .where('id', 'in', ids)
    .execute()
}
