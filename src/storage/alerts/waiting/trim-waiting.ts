/** Reduces the waiting changes of a check that changed very often before they were planned. */
import type { ChannelRules } from '../../../core/alerts/delivery/channel-rules.js'
import { trimChanges } from '../../../core/alerts/delivery/trim.js'
import type { Db } from '../../db.js'
import { keepCounts } from '../deliveries.js'
import type { WaitingRow } from './waiting-row.js'

/**
 * Deletes the rows of one check, oldest first, that are not needed to send to a usable channel, and returns the rest.
 * What is sent, and its counts, stay the same: see `trimChanges`.
 */
export async function trimWaiting(
  db: Db,
  rows: readonly WaitingRow[],
  rules: ChannelRules,
): Promise<readonly WaitingRow[]> {
  // A change that ends a check for its channel is planned in another order.
  if (!rows.at(-1)!.isTarget) return rows
  const trimmed = trimChanges(
    rows.map(row => row.change!),
    rules,
  )
  if (trimmed === null) return rows
  const { kept, summary } = trimmed
  const { channelId, checkId, id: newest } = rows.at(-1)!
  await db.sql
    .deleteFrom('deliveries')
    .where('channel_id', '=', channelId)
    .where('check_id', '=', checkId)
    .where('id', '<', newest)
    .where(
      'id',
      'not in',
      kept.map(({ id }) => id),
    )
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  if (summary) await keepCounts(db, byId.get(summary.id)!, summary)
  return kept.map(change => ({ ...byId.get(change.id)!, change }))
}
