/** The rows of attempts, which people see in the log. */
import { sql as raw } from 'kysely'
import type { ChangeStatus } from '../../core/alerts/delivery/change.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'
import type { WaitingRow } from './waiting/waiting-row.js'

/** An attempt at a delivery. */
export type NewNotification = {
  uuid: string
  delivery_uuid: string
  channel_id: number
  check_id: number | null
  flip_id: number | null
  incident_id: number | null
  check_status: string
  attempt: number
  duration: number | null
  error: string
}

/** Records attempts at `now` that were made or are about to be (`Sending`). */
export async function addNotifications(db: Db, rows: readonly NewNotification[], now: number): Promise<void> {
  await add(db, { now }, rows)
}

/** The values of `error` for attempts without a known failure. */
const UNSETTLED = ['Sending', 'Interrupted', '']

/** Whether nothing is known yet of a failure of an attempt with this `error`. */
export function isUnsettled(error: string): boolean {
  return UNSETTLED.includes(error)
}

/** Records that attempts at these deliveries of a channel were interrupted. */
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
      incident_id: item.incident_id,
      check_status: item.check_status,
      attempt: item.attempt,
      created_at: value.now,
      duration: item.duration,
      error: item.error,
    })),
  ),
)

/** A check has few attempts, even if a message combines many checks. */
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
      .where('delivery_uuid', 'in', uuids(items)),
)

/** How many of a channel's newest attempts are searched for those without a check, which are sent one by one. */
const NEWEST_SEARCHED = 1_000

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
        .limit(NEWEST_SEARCHED),
    )
    .where('error', '=', 'Sending')
    .where('delivery_uuid', 'in', uuids(items)),
)

/** Records that these attempts were interrupted. */
export const noteCutOff = preparedList((sql, _: Record<never, never>, items: { uuid: string }[]) =>
  sql
    .updateTable('notifications')
    .set({ error: 'Interrupted' })
    .where('uuid', 'in', uuids(items))
    .where('error', '=', 'Sending'),
)

/**
 * Records the result of attempts. `message`: the attempt by which a message of several is known, or null. A failure
 * that a service has reported about a sent message is kept. Returns the errors of the rows afterwards.
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
      .where('uuid', 'in', uuids(items))
      .returning(['uuid', 'error']),
)

/** As `noteOutcome` for messages of one attempt each that were sent; `durationMs`: how long each took. */
export const noteArrived = preparedList(
  (sql, _: Record<never, never>, items: { uuid: string; durationMs: number }[]) =>
    sql
      .updateTable('notifications')
      .set(eb => ({
        error: eb
          .case()
          .when(eb('error', 'not in', UNSETTLED))
          .then(eb.ref('error'))
          .else('')
          .end(),
        duration: raw<number>`CASE uuid ${raw.join(
          items.map(({ uuid, durationMs }) => raw`WHEN ${uuid} THEN CAST(${durationMs} AS bigint)`),
          raw` `,
        )} END`,
        message_uuid: null,
      }))
      .where('uuid', 'in', uuids(items))
      .returning(['uuid', 'error']),
)

/** The UUIDs of a statement's items. */
export const uuids = (items: readonly { uuid: string }[]) => items.map(({ uuid }) => uuid)

export const removeNotifications = preparedList((sql, _: Record<never, never>, items: { uuid: string }[]) =>
  sql.deleteFrom('notifications').where('uuid', 'in', uuids(items)),
)

/** The first columns of the row of an attempt at a delivery. */
export function attemptOf(
  row: Pick<
    WaitingRow,
    'uuid' | 'channelId' | 'checkId' | 'flipId' | 'attempts' | 'change' | 'closing' | 'incidentId'
  >,
) {
  const status = row.change?.status ?? ''
  return {
    delivery_uuid: row.uuid,
    channel_id: row.channelId,
    // The log of a moved check belongs to another project now.
    check_id: row.closing?.end === 'moved' ? null : row.checkId,
    flip_id: row.flipId,
    incident_id: row.incidentId,
    check_status: (status === 'deleted' ? 'up' : status) satisfies ChangeStatus | '',
    attempt: row.attempts + 1,
  }
}
