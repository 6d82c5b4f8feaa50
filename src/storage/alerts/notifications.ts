/** The rows of attempts, which people see. */
import type { ChangeStatus } from '../../core/alerts/delivery/change.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'
import type { WaitingRow } from './waiting.js'

/** An attempt at a delivery. */
export type NewNotification = {
  uuid: string
  delivery_uuid: string
  channel_id: number
  check_id: number | null
  flip_id: number | null
  check_status: string
  attempt: number
  duration: number | null
  error: string
}

/** Notes attempts that were made, or are about to be made (`Sending`), at `now`. */
export async function addNotifications(db: Db, rows: readonly NewNotification[], now: number): Promise<void> {
  await add(db, { now }, rows)
}

/** How far back an attempt that was cut off is looked for among those of its channel. */
const LOOKED_AT = 1_000

/** Notes that attempts at these deliveries of a channel were cut off. */
export async function noteInterrupted(
  db: Db,
  channelId: number,
  deliveries: readonly string[],
): Promise<void> {
  await interrupt(
    db,
    { channelId },
    deliveries.map(uuid => ({ uuid })),
  )
}

const add = preparedList((sql, value: { now: number }, items: NewNotification[]) =>
  sql.insertInto('notifications').values(
    items.map(item => ({
      uuid: item.uuid,
      delivery_uuid: item.delivery_uuid,
      channel_id: item.channel_id,
      check_id: item.check_id,
      flip_id: item.flip_id,
      check_status: item.check_status,
      attempt: item.attempt,
      created_at: value.now,
      duration: item.duration,
      error: item.error,
    })),
  ),
)

const interrupt = preparedList((sql, value: { channelId: number }, items: { uuid: string }[]) =>
  sql
    .updateTable('notifications')
    .set({ error: 'Interrupted' })
    .where(
      'id',
      'in',
      sql
        .selectFrom('notifications')
        .select('id')
        .where('channel_id', '=', value.channelId)
        .orderBy('id', 'desc')
        .limit(LOOKED_AT),
    )
    .where('error', '=', 'Sending')
    .where(
      'delivery_uuid',
      'in',
      items.map(({ uuid }) => uuid),
    ),
)

/** What came of attempts. `message`: the one that a message of several is known by; null where it has one. */
export const noteOutcome = preparedList(
  (sql, value: { error: string; durationMs: number; message: string | null }, items: { uuid: string }[]) =>
    sql
      .updateTable('notifications')
      .set({ error: value.error, duration: value.durationMs, message_uuid: value.message })
      .where(
        'uuid',
        'in',
        items.map(({ uuid }) => uuid),
      ),
)

export const removeNotifications = preparedList((sql, _: Record<never, never>, items: { uuid: string }[]) =>
  sql.deleteFrom('notifications').where(
    'uuid',
    'in',
    items.map(({ uuid }) => uuid),
  ),
)

/** An attempt at a delivery, as its row begins. */
export function attemptOf(
  row: Pick<WaitingRow, 'uuid' | 'channelId' | 'checkId' | 'flipId' | 'attempts' | 'change' | 'closing'>,
) {
  const status = row.change?.status ?? ''
  return {
    delivery_uuid: row.uuid,
    channel_id: row.channelId,
    // The log of a check that was moved is other people's.
    check_id: row.closing?.end === 'moved' ? null : row.checkId,
    flip_id: row.flipId,
    check_status: (status === 'deleted' ? 'up' : status) satisfies ChangeStatus | '',
    attempt: row.attempts + 1,
  }
}
