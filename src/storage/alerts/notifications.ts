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

/** What a row says of an attempt of which nobody knows what came of it. */
const UNSETTLED = ['Sending', 'Interrupted', '']

/** Notes that attempts at these deliveries of a channel were cut off. */
export async function noteInterrupted(
  db: Db,
  channelId: number,
  deliveries: readonly { uuid: string; checkId: number | null }[],
): Promise<void> {
  await interrupt(
    db,
    { channelId },
    deliveries.flatMap(({ uuid, checkId }) => (checkId === null ? [] : [{ uuid, checkId }])),
  )
  await interruptRecent(db, { channelId }, deliveries)
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

/** There are few attempts of a check, however many one message combines. */
const interrupt = preparedList(
  (sql, value: { channelId: number }, items: { uuid: string; checkId: number }[]) =>
    sql
      .updateTable('notifications')
      .set({ error: 'Interrupted' })
      .where(
        'check_id',
        'in',
        items.map(({ checkId }) => checkId),
      )
      .where('channel_id', '=', value.channelId)
      .where('error', '=', 'Sending')
      .where(
        'delivery_uuid',
        'in',
        items.map(({ uuid }) => uuid),
      ),
)

/** How far back an attempt of no check is looked for among those of its channel: those are sent one by one. */
const LOOKED_AT = 1_000

const interruptRecent = preparedList((sql, value: { channelId: number }, items: { uuid: string }[]) =>
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

/** Notes that these attempts were cut off. */
export const noteCutOff = preparedList((sql, _: Record<never, never>, items: { uuid: string }[]) =>
  sql
    .updateTable('notifications')
    .set({ error: 'Interrupted' })
    .where(
      'uuid',
      'in',
      items.map(({ uuid }) => uuid),
    )
    .where('error', '=', 'Sending'),
)

/**
 * What came of attempts. `message`: the one that a message of several is known by; null where it has one. What a carrier has
 * reported of a message that was sent stays. Returns the errors that the rows then have.
 */
export const noteOutcome = preparedList(
  (sql, value: { error: string; durationMs: number; message: string | null }, items: { uuid: string }[]) =>
    sql
      .updateTable('notifications')
      .set(eb => ({
        error: eb
          .case()
          .when(eb.and([eb(eb.val(value.error), '=', ''), eb('error', 'not in', UNSETTLED)]))
          .then(eb.ref('error'))
          .else(value.error)
          .end(),
        duration: value.durationMs,
        message_uuid: value.message,
      }))
      .where(
        'uuid',
        'in',
        items.map(({ uuid }) => uuid),
      )
      .returning('error'),
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
