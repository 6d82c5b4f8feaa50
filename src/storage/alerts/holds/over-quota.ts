/** Records what begins to wait for a monthly quota, and tells the project's people. Decision 0102. */
import { randomUUID } from 'node:crypto'
import { quotaError } from '../../../core/alerts/delivery/quota.js'
import { noteUse } from '../../channels/channel-use.js'
import type { Db } from '../../db.js'
import { queueQuotaMails } from '../../people/quotas/quota-mails.js'
import { preparedList } from '../../prepared.js'
import type { Planned } from '../messages.js'
import { addNotifications, attemptOf, uuids } from '../notifications.js'

/** Each delivery that a quota holds for the first time is a failed attempt in the log, and a reason for an e-mail. */
export async function noteOverQuota(db: Db, planned: readonly Planned[], now: number): Promise<void> {
  // By project, so that two processes cannot deadlock.
  for (const one of planned.toSorted((a, b) => a.channel.projectId - b.channel.projectId)) {
    const { channel, plan, rows, quota } = one
    const held = plan.holds.filter(({ reason }) => reason === 'quota').map(({ id }) => rows.get(id)!)
    const others = held.filter(({ change }) => change?.heldBy !== 'quota')
    if (quota === null || others.length === 0) continue
    const error = quotaError(quota)
    // Something else may have held it in the meantime.
    const items = others.flatMap(({ checkId, uuid }) => (checkId === null ? [] : [{ checkId, uuid }]))
    const known = new Set((await refused(db, { error }, items)).map(row => row.delivery_uuid))
    const begun = others.filter(({ uuid }) => !known.has(uuid))
    if (begun.length === 0) continue
    const attempts = begun.map(row => ({ ...attemptOf(row), uuid: randomUUID(), error, duration: 0 }))
    await addNotifications(db, attempts, now)
    const groupIds = begun.map(({ groupId }) => groupId)
    await noteUse(db, channel.id, groupIds, { startedAt: now, durationMs: 0, now, error })
    await queueQuotaMails(db, channel, quota, now)
  }
}

/** Those of these deliveries that have a notification with this error. */
const refused = preparedList((sql, value: { error: string }, items: { checkId: number; uuid: string }[]) =>
  sql
    .selectFrom('notifications')
    .select('delivery_uuid')
    .where(
      'check_id',
      'in',
      items.map(({ checkId }) => checkId),
    )
    .where('delivery_uuid', 'in', uuids(items))
    .where('error', '=', value.error),
)
