import { sql } from 'kysely'
import { type ChannelNotice, notifyOthers } from '../alerts/channel-notices.js'
import type { Db } from '../db.js'
import { recordEvent } from '../events/record-events.js'
import { prepared } from '../prepared.js'

/**
 * The due time of deliveries that wait for a disabled channel, or for the link between a check and a channel; when the channel is enabled or
 * linked they are made due.
 */
export const WHEN_ENABLED = 8_640_000_000_000_000

/**
 * Disables a channel and sends `notice` to the project's other channels, unless it is disabled already. Untried
 * deliveries are deleted, because the channel is caught up when it is enabled again.
 */
export async function disableChannel(
  db: Db,
  channelId: number,
  notice: ChannelNotice,
  now: number,
): Promise<void> {
  const disabled = await db.sql
    .updateTable('channels')
    .set({ disabled: 1 })
    .where('id', '=', channelId)
    .where('disabled', '=', 0)
    .returning(['uuid', 'name', 'project_id'])
    .executeTakeFirst()
  if (!disabled) return
  const { uuid, name, project_id: projectId } = disabled
  const object = { id: uuid, name }
  const [before, after] = [{ enabled: true }, { enabled: false }]
  await recordEvent(db, { projectId, type: 'channel.updated', object, before, after }, now)
  // Before its notices are deleted.
  await notifyOthers(db, channelId, notice, now)
  await db.sql
    .deleteFrom('deliveries')
    .where('channel_id', '=', channelId)
    .where('claimed_by', 'is', null)
    .where('closing', 'is', null)
    .where('attempts', '=', 0)
    .where('missed', '=', 0)
    .execute()
  await makeDue(db, channelId, now)
}

/**
 * Makes a channel's waiting deliveries due now. Those that wait until the channel is enabled keep waiting; see
 * {@link endWait}.
 */
export async function makeDue(db: Db, channelId: number, now: number): Promise<void> {
  await db.sql
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('channel_id', '=', channelId)
    .where('due_at', '>', now)
    .where('due_at', '<', WHEN_ENABLED)
    .where('claimed_by', 'is', null)
    .execute()
}

/**
 * Something arrived through a channel, so deliveries that wait after a failed attempt, or because the channel was
 * unreachable, are tried at once.
 * Excepted are those that were tried that way before and have not waited for their own time since: their
 * receiver may refuse only them.
 */
export const followArrival = prepared((query, value: { channelId: number; now: number }) =>
  query
    .updateTable('deliveries')
    .set({ due_at: value.now, follows: 2 })
    .where('channel_id', '=', value.channelId)
    // The condition of the index.
    .where('follows', '=', sql.lit(1))
    .where('due_at', '>', value.now)
    .where('due_at', '<', WHEN_ENABLED)
    .where('claimed_by', 'is', null)
    .returning('id'),
)

/**
 * Makes deliveries that wait until a channel is enabled due now. If the channel is enabled, those are the ones reported
 * as undelivered. Returns whether there are any.
 */
export async function makeUndeliveredDue(db: Db, channelId: number, now: number): Promise<boolean> {
  const due = await db.sql
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('channel_id', '=', channelId)
    .where('due_at', '=', WHEN_ENABLED)
    .where('claimed_by', 'is', null)
    .returning('id')
    .execute()
  return due.length > 0
}

/** Makes everything that waits for a channel due now, because it can be used again; if it is disabled all the same, nothing. */
export async function endWait(db: Db, channelId: number, now: number): Promise<void> {
  await db.sql
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('channel_id', '=', channelId)
    .where('channel_id', 'in', eb => eb.selectFrom('channels').select('id').where('disabled', '=', 0))
    .where('due_at', '>', now)
    .where('claimed_by', 'is', null)
    .execute()
}
