import { randomUUID } from 'node:crypto'
import { DROP_NOTES, type NotedReason } from '../../core/alerts/delivery/drop-notes.js'
import { noteUse } from '../channels/channel-use.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'
import { mailInstead } from './channel-notices.js'
import type { Dropped, Planned } from './messages.js'
import { addNotifications, attemptOf } from './notifications.js'
import type { WaitingRow } from './waiting/waiting-row.js'

/** What would only have sent an incident once more is noted in the incident. */
function noteOf(reason: NotedReason, { change }: WaitingRow): string {
  return change === null || change.again === null ? DROP_NOTES[reason] : ''
}

/** Deletes the deliveries that a plan drops, and records the reason if people want to know it. */
export async function dropDeliveries(
  db: Db,
  { channel, plan, rows, unusable }: Planned,
  now: number,
): Promise<Dropped[]> {
  if (plan.drops.length === 0) return []
  const notices = plan.drops.flatMap(({ id }) => {
    const { notice, uuid } = rows.get(id)!
    return notice !== null && notice.type !== 'limit' ? [uuid] : []
  })
  if (notices.length > 0) await mailInstead(db, channel.id, now, notices)
  await remove(
    db,
    {},
    plan.drops.map(({ id }) => ({ id })),
  )
  const dropped = plan.drops.map(({ id, reason }) => {
    const row = rows.get(id)!
    const error = reason === 'unusable' ? unusable : noteOf(reason, row)
    return { row, channel, reason, error, createdAt: row.createdAt }
  })
  const noted = dropped.filter(({ error }) => error !== '')
  await addNotifications(
    db,
    noted.map(({ row, error }) => ({ ...attemptOf(row), uuid: randomUUID(), error, duration: 0 })),
    now,
  )
  if (unusable !== '' && noted.length > 0) {
    await noteUse(
      db,
      channel.id,
      noted.map(({ row }) => row.groupId),
      { startedAt: now, durationMs: 0, now, error: unusable },
    )
  }
  return dropped.map(({ row: _, ...rest }) => rest)
}

const remove = preparedList((sql, _: Record<never, never>, items: { id: number }[]) =>
  sql.deleteFrom('deliveries').where(
    'id',
    'in',
    items.map(({ id }) => id),
  ),
)
