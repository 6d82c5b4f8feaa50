/** Whether the e-mails of a channel still come back. Decision 0159. */
import { BOUNCES_SOON_MS } from '../../core/alerts/delivery/unreachable.js'
import type { Db } from '../db.js'

/** Whether something that was accepted from a channel after `since` did not come back within half an hour. */
export async function hasArrived(
  db: Db,
  { channelId, since, now }: { channelId: number; since: number; now: number },
): Promise<boolean> {
  const arrived = await db.sql
    .selectFrom('notifications')
    .select('id')
    .where('channel_id', '=', channelId)
    .where('error', '=', '')
    .where('created_at', '>', since)
    .where('created_at', '<=', now - BOUNCES_SOON_MS)
    .limit(1)
    .executeTakeFirst()
  return arrived !== undefined
}

/** The columns of a channel that say for how long it has been failing. */
export interface FailingColumns {
  id: number
  failing_ms: number
  bounced_at: number | null
  bounced_ms: number
}

/**
 * How long (ms) a channel has been failing. What was accepted since the newest e-mail that bounced ends that only when it has not come
 * back for half an hour.
 */
export async function failingMsOf(
  db: Db,
  { id, failing_ms, bounced_at, bounced_ms }: FailingColumns,
  now: number,
): Promise<number> {
  if (bounced_at === null || bounced_ms <= failing_ms) return failing_ms
  return (await hasArrived(db, { channelId: id, since: bounced_at, now })) ? failing_ms : bounced_ms
}
