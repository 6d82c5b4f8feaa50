import type { SelectQueryBuilder } from 'kysely'
import type { Db } from '../../db.js'
import type { Tables } from '../../tables.js'

/** The notifications that a log forgets: a query for their IDs. */
type Forgotten = SelectQueryBuilder<Tables, 'notifications', { id: number }>

/**
 * Removes notifications from the logs of their check and their channel. Those that belong to an incident are kept for
 * it, without the check.
 */
export async function forgetNotifications(db: Db, forgotten: Forgotten): Promise<void> {
  await db.sql
    .updateTable('notifications')
    .set({ check_id: null, kept: 1 })
    .where('id', 'in', forgotten.where('incident_id', 'is not', null).where('kept', '=', 0))
    .execute()
  await db.sql
    .deleteFrom('notifications')
    .where('id', 'in', forgotten.where('incident_id', 'is', null))
    .execute()
}

/** The notifications about these checks. */
export function notificationsOfChecks(db: Db, checkIds: readonly number[]): Forgotten {
  return db.sql.selectFrom('notifications').select('id').where('check_id', 'in', checkIds)
}

/** The notifications sent through a channel. */
export function notificationsOfChannel(db: Db, channelId: number): Forgotten {
  return db.sql.selectFrom('notifications').select('id').where('channel_id', '=', channelId)
}
