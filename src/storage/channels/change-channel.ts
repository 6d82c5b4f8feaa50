import { sql } from 'kysely'
import { bringToTruth } from '../alerts/bring-to-truth.js'
import { endTargets, withMembers } from '../alerts/links/end-targets.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { addMembers, memberIds } from './channels.js'
import { makeDue } from './disable-channel.js'
import { forgetDestination } from './forget-destination.js'
import { holdChannels } from './hold-channels.js'

/** What a channel is to be; `members` as in `NewChannel`. */
export interface ChannelChange {
  id: number
  projectId: number
  name: string
  settings: Record<string, string>
  members: readonly string[]
  /** As in `NewChannel`. */
  confirmed?: boolean
  /** Whether messages go to another recipient from now on. */
  moved?: boolean
  /** Whether it is another destination, which has learned nothing yet. */
  redirected?: boolean
  now: number
}

/** That nothing arrived before says nothing of a channel that was mended: what waits does not wait for one delivery. */
const TRIED_AT_ONCE = {
  unreachable_at: null,
  probe_at: null,
  failing_ms: 0,
  enablings: sql<number>`enablings + 1`,
}

/**
 * Changes what a channel is and enables it: whoever changes it means it to work. Returns whether it exists.
 * Throws a `Refusal` when a member is no channel of the project. Source: docs/behaviour.md, section 8.7.
 */
export const update = write(async (db: Db, change: ChannelChange): Promise<boolean> => {
  const members = await memberIds(db, change.projectId, change.members)
  await holdToChange(db, change.id, members)
  const { numUpdatedRows } = await db.sql
    .updateTable('channels')
    .set({
      name: change.name,
      settings: JSON.stringify(change.settings),
      disabled: 0,
      ...TRIED_AT_ONCE,
      confirmed: change.confirmed === false ? 0 : 1,
      ...(change.moved ? { recipient_since: change.now } : {}),
    })
    .where('id', '=', change.id)
    .executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) === 0) return false
  if (change.redirected) await forgetDestination(db, change.id, change.now)
  const before = await withMembers(db, change.id)
  await db.sql.deleteFrom('group_members').where('group_id', '=', change.id).execute()
  await addMembers(db, change.id, members)
  await endTargets(db, { channelIds: before }, 'unlinked', change.now)
  await bringToTruth(db, change.id, change.now)
  return true
})

/**
 * Notes that the owner of a channel's address agreed to be told, where that address is still `address`. Returns
 * whether it is.
 */
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
    await holdToChange(db, channel.id)
    const confirmed = await db.sql
      .updateTable('channels')
      .set({ confirmed: 1, last_notify: null, last_error: '', ...TRIED_AT_ONCE })
      .where('uuid', '=', uuid)
      .where('settings', '=', JSON.stringify(settings))
      .returning('id')
      .executeTakeFirst()
    if (confirmed) await bringToTruth(db, confirmed.id, now)
    return confirmed !== undefined
  },
)

/**
 * Lets a channel be sent messages, or not. One that is enabled hears what it has missed; through a group that is disabled
 * its members hear nothing more. Returns whether it exists.
 */
export const setEnabled = write(
  async (db: Db, id: number, enabled: boolean, now: number): Promise<boolean> => {
    if (enabled) await holdToChange(db, id)
    const { numUpdatedRows } = await db.sql
      .updateTable('channels')
      .set(enabled ? { disabled: 0, ...TRIED_AT_ONCE } : { disabled: 1 })
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
 * Disables a channel because its recipient wishes so; with `confirms` nothing is sent there until the recipient has agreed
 * again. Returns whether the channel is there, with these settings.
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
 * Holds a channel that is about to be enabled or changed until the transaction ends, with the channels behind it, those of
 * `members` among them: it waits for the flips and settlements that are being stored, which then count as true, and those that
 * come later find the channels as they are then. See `heldLinks`.
 */
async function holdToChange(db: Db, id: number, members: readonly number[] = []): Promise<void> {
  await holdChannels(db, [...(await withMembers(db, id)), ...members], 'flips')
}

/**
 * Makes the checks of the project with these UUIDs those that a channel tells of, and no others. UUIDs that are
 * not the project's are passed over: their checks may have been deleted since. Returns how many there are.
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
