import { sql } from 'kysely'
import { bringToTruth } from '../alerts/bring-to-truth.js'
import { endTargets, withMembers } from '../alerts/links/end-targets.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { addMembers, memberIds } from './channels.js'
import { makeDue } from './disable-channel.js'
import { forgetDestination } from './forget-destination.js'
import { lockChannelRows } from './lock-channels.js'

/** The new values of a channel; `members` as in `NewChannel`. */
export interface ChannelChange {
  id: number
  projectId: number
  name: string
  settings: Record<string, string>
  members: readonly string[]
  /** As in `NewChannel`. */
  confirmed?: boolean
  /** Whether the destination changed, so that nothing was reported to it yet. */
  redirected?: boolean
  now: number
}

/** Earlier failures say nothing about a repaired channel, so what waits does not wait for a probe. */
const RESET_FAILURES = {
  unreachable_at: null,
  probe_at: null,
  failing_ms: 0,
  enablings: sql<number>`enablings + 1`,
}

/**
 * The time since which a failed message may be blamed on the channel. It starts again if the channel was unusable or
 * redirected.
 */
function recipientSince(now: number, isAnew: ReturnType<typeof sql>) {
  return sql<number | null>`CASE WHEN ${isAnew} THEN CAST(${now} AS bigint) ELSE recipient_since END`
}

/**
 * Changes a channel and enables it, because a person who changes it wants it to work. Returns whether it exists.
 * Throws a `Refusal` if a member is not a channel of the project. Source: docs/behaviour.md, section 8.7.
 */
export const update = write(async (db: Db, change: ChannelChange): Promise<boolean> => {
  const members = await memberIds(db, change.projectId, change.members)
  await lockToChange(db, change.id, members)
  const { numUpdatedRows } = await db.sql
    .updateTable('channels')
    .set({
      name: change.name,
      settings: JSON.stringify(change.settings),
      disabled: 0,
      ...RESET_FAILURES,
      confirmed: change.confirmed === false ? 0 : 1,
      recipient_since: recipientSince(change.now, change.redirected ? sql`1 = 1` : sql`disabled = 1`),
    })
    .where('id', '=', change.id)
    .executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) === 0) return false
  if (change.redirected) await forgetDestination(db, change.id, change.now)
  const before = await withMembers(db, change.id)
  await db.sql.deleteFrom('group_members').where('group_id', '=', change.id).execute()
  await addMembers(db, change.id, members)
  // What a group without members could not send: its members send for it from now on.
  if (members.length > 0) await db.sql.deleteFrom('deliveries').where('channel_id', '=', change.id).execute()
  await endTargets(db, { channelIds: before }, 'unlinked', change.now)
  await bringToTruth(db, change.id, change.now)
  return true
})

/** Records that the owner of a channel's address agreed, if that is still its address. Returns whether it is. */
export const confirm = write(
  async (
    db: Db,
    { uuid, settings, now }: { uuid: string; settings: Record<string, string>; now: number },
  ): Promise<boolean> => {
    const channel = await db.sql
      .selectFrom('channels')
      .select('id')
      .where('uuid', '=', uuid)
      .executeTakeFirst()
    if (!channel) return false
    await lockToChange(db, channel.id)
    const confirmed = await db.sql
      .updateTable('channels')
      .set({ confirmed: 1, last_notify: null, last_error: '', ...RESET_FAILURES, recipient_since: now })
      .where('uuid', '=', uuid)
      .where('settings', '=', JSON.stringify(settings))
      .returning('id')
      .executeTakeFirst()
    if (confirmed) await bringToTruth(db, confirmed.id, now)
    return confirmed !== undefined
  },
)

/**
 * Enables or disables a channel. When it is enabled, it is sent what has changed; the members of a disabled group are
 * sent nothing through it. Returns whether the channel exists.
 */
export const setEnabled = write(
  async (db: Db, id: number, enabled: boolean, now: number): Promise<boolean> => {
    if (enabled) await lockToChange(db, id)
    const { numUpdatedRows } = await db.sql
      .updateTable('channels')
      .set(
        enabled
          ? { disabled: 0, ...RESET_FAILURES, recipient_since: recipientSince(now, sql`disabled = 1`) }
          : { disabled: 1 },
      )
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (enabled) await bringToTruth(db, id, now)
    else {
      await makeDue(db, id, now)
      await endTargets(db, { channelIds: await withMembers(db, id) }, 'unlinked', now)
    }
    return Number(numUpdatedRows) > 0
  },
)

/**
 * Disables a channel at its recipient's request; with `confirms`, nothing is sent there until the recipient agrees
 * again. Returns whether the channel still exists with these settings.
 */
export const unsubscribe = write(
  async (
    db: Db,
    channel: { uuid: string; settings: Record<string, string>; confirms: boolean; now: number },
  ): Promise<boolean> => {
    const row = await db.sql
      .updateTable('channels')
      .set({ disabled: 1, ...(channel.confirms ? { confirmed: 0 } : {}) })
      .where('uuid', '=', channel.uuid)
      .where('settings', '=', JSON.stringify(channel.settings))
      .returning('id')
      .executeTakeFirst()
    return row !== undefined && (await setEnabled(db, row.id, false, channel.now))
  },
)

/**
 * Locks a channel that is about to be enabled or changed, and its members, including `members`, until the transaction
 * ends. It waits for flips and settlements that are being stored, which then count; later ones see the channels after
 * the change. See `lockLinks`.
 */
async function lockToChange(db: Db, id: number, members: readonly number[] = []): Promise<void> {
  await lockChannelRows(db, [...(await withMembers(db, id)), ...members], 'flips')
}

/**
 * Links a channel to the project's checks with these UUIDs, and to no others. Unknown UUIDs are ignored: their checks
 * may have been deleted. Returns the number of links.
 */
export const assign = write(
  async (
    db: Db,
    { id, projectId, checks, now }: { id: number; projectId: number; checks: readonly string[]; now: number },
  ): Promise<number> => {
    await db.sql.deleteFrom('check_channels').where('channel_id', '=', id).execute()
    let assigned = 0
    for (const some of chunks([...new Set(checks)], db.dialect.maxParameters - 2)) {
      const { numInsertedOrUpdatedRows } = await db.sql
        .insertInto('check_channels')
        .columns(['check_id', 'channel_id'])
        .expression(eb =>
          eb
            .selectFrom('checks')
            .select(s => ['checks.id as check_id', s.lit(id).as('channel_id')])
            .where('project_id', '=', projectId)
            .where('uuid', 'in', some),
        )
        .executeTakeFirstOrThrow()
      assigned += Number(numInsertedOrUpdatedRows ?? 0)
    }
    await endTargets(db, { channelIds: await withMembers(db, id) }, 'unlinked', now)
    return assigned
  },
)
