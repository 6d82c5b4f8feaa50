import { type SqlBool, sql } from 'kysely'
import { Refusal } from '../../core/errors.js'
import type { Need } from '../../core/people/role.js'
import { bringToTruth } from '../alerts/bring-to-truth.js'
import { endTargets, withMembers } from '../alerts/links/end-targets.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { announcedWrite, longRead, write } from '../method.js'
import { type Author, lockAuthor } from '../projects/lock-author.js'
import { checksOf, switchForChecks } from './check-channels.js'
import { makeDue } from './disable-channel.js'
import { NO_FAILED_TEST } from './failed-test.js'
import { forgetDestination } from './forget-destination.js'
import { addMembers, memberIds } from './group-members.js'
import { lockChannelRows } from './lock-channels.js'
import { recordingChannel } from './recording-channel.js'

/** The new values of a channel; `members` as in `NewChannel`. */
export interface ChannelChange {
  id: number
  projectId: number
  name: string
  settings: Record<string, string>
  members: readonly string[]
  /** The settings from which these were derived: with others nothing is changed. Absent: whatever they are. */
  was?: Record<string, string>
  /** Whether messages may be sent without anyone's consent. Absent: as before. */
  confirmed?: boolean | undefined
  /** Whether the destination changed, so that nothing was reported to it yet. */
  redirected?: boolean
  /** Whether messages go where they went, in the same way, so that earlier failures still count. Absent: no. */
  sentAlike?: boolean
  by?: Author
  /** As in `NewChannel`. */
  need?: Need
  now: number
}

interface Assignment {
  id: number
  projectId: number
  /** UUIDs. */
  checks: readonly string[]
  /** Whether all of them have to be checks of the project. */
  known?: boolean
  now: number
}

/** The most UUIDs that an error repeats. */
const NAMED = 10

/** A condition on `channels`: it is disabled. */
const WAS_DISABLED = sql<SqlBool>`disabled = 1`
const ALWAYS = sql<SqlBool>`1 = 1`

/**
 * Earlier failures say nothing about a channel that was repaired or could not be used, so what waits does not wait for a
 * probe.
 */
function resetFailures(isRepaired: typeof ALWAYS) {
  return {
    unreachable_at: sql<number | null>`CASE WHEN ${isRepaired} THEN NULL ELSE unreachable_at END`,
    probe_at: sql<number | null>`CASE WHEN ${isRepaired} THEN NULL ELSE probe_at END`,
    failing_ms: sql<number>`CASE WHEN ${isRepaired} THEN 0 ELSE failing_ms END`,
    unknown_since: sql<number | null>`CASE WHEN ${isRepaired} THEN NULL ELSE unknown_since END`,
    bounced_at: sql<number | null>`CASE WHEN ${isRepaired} THEN NULL ELSE bounced_at END`,
    bounced_ms: sql<number>`CASE WHEN ${isRepaired} THEN 0 ELSE bounced_ms END`,
    enablings: sql<number>`CASE WHEN ${isRepaired} THEN enablings + 1 ELSE enablings END`,
  }
}

/**
 * The links in messages that were sent so far end, because a person ended what their readers had: they unsubscribed, or
 * the channel was disabled by hand or given another destination. A channel that failures disable has the same readers.
 */
export const LINKS_END = { link_version: sql<number>`link_version + 1` }

/**
 * The time since which a failed message may be blamed on the channel. It starts again if the channel was unusable or
 * redirected.
 */
function recipientSince(now: number, isAnew: typeof ALWAYS) {
  return sql<number | null>`CASE WHEN ${isAnew} THEN CAST(${now} AS bigint) ELSE recipient_since END`
}

/**
 * Changes a channel and enables it, because a person who changes it wants it to work. Returns whether it exists, and
 * still has the settings in `was`. Throws a `Refusal` if a member is not a channel of the project, if its groups
 * would have too many members, or if the author may not change it any more. Source: docs/behaviour.md, section 8.7.
 */
export const update = write(async (db: Db, change: ChannelChange): Promise<boolean> => {
  await lockAuthor(db, change.projectId, change.by, change.need ?? 'write')
  const members = await memberIds(db, change.projectId, change.members)
  await lockToChange(db, change.id, members)
  return await recordingChannel(db, change.id, change.now, () => save(db, change, members))
})

async function save(db: Db, change: ChannelChange, members: readonly number[]): Promise<boolean> {
  const { numUpdatedRows } = await db.sql
    .updateTable('channels')
    .set({
      name: change.name,
      settings: JSON.stringify(change.settings),
      disabled: 0,
      ...resetFailures(change.sentAlike ? WAS_DISABLED : ALWAYS),
      ...(change.redirected && LINKS_END),
      ...(change.confirmed !== undefined && { confirmed: change.confirmed ? 1 : 0 }),
      recipient_since: recipientSince(change.now, change.redirected ? ALWAYS : WAS_DISABLED),
    })
    .where('id', '=', change.id)
    .$if(change.was !== undefined, query => query.where('settings', '=', JSON.stringify(change.was)))
    .executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) === 0) return false
  if (change.redirected) await forgetDestination(db, change.id, change.now)
  const before = await withMembers(db, [change.id])
  const { numDeletedRows } = await db.sql
    .deleteFrom('group_members')
    .where('group_id', '=', change.id)
    .executeTakeFirstOrThrow()
  await addMembers(db, change, members, Number(numDeletedRows))
  // What a group without members could not send: its members send for it from now on.
  if (members.length > 0) await db.sql.deleteFrom('deliveries').where('channel_id', '=', change.id).execute()
  await endTargets(db, { channelIds: before }, 'unlinked', change.now)
  await bringToTruth(db, change.id, change.now)
  return true
}

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
    const confirmed = await recordingChannel(db, channel.id, now, () =>
      db.sql
        .updateTable('channels')
        .set({
          confirmed: 1,
          last_notify: null,
          last_error: '',
          ...NO_FAILED_TEST,
          ...resetFailures(ALWAYS),
          recipient_since: now,
        })
        .where('uuid', '=', uuid)
        .where('settings', '=', JSON.stringify(settings))
        .returning('id')
        .executeTakeFirst(),
    )
    if (confirmed) await bringToTruth(db, confirmed.id, now)
    return confirmed !== undefined
  },
)

/**
 * Enables or disables a channel. When it is enabled, it is sent what has changed; the members of a disabled group are
 * sent nothing through it. The links in the messages of a disabled one end. Returns whether the channel exists.
 */
export const setEnabled = write(
  async (db: Db, id: number, enabled: boolean, now: number): Promise<boolean> => {
    if (enabled) await lockToChange(db, id)
    return await recordingChannel(db, id, now, () => switchChannel(db, id, enabled, now))
  },
)

async function switchChannel(db: Db, id: number, enabled: boolean, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db.sql
    .updateTable('channels')
    .set(
      enabled
        ? { disabled: 0, ...resetFailures(WAS_DISABLED), recipient_since: recipientSince(now, WAS_DISABLED) }
        : { disabled: 1, ...LINKS_END },
    )
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (enabled) await bringToTruth(db, id, now)
  else {
    await makeDue(db, id, now)
    await endTargets(db, { channelIds: await withMembers(db, [id]) }, 'unlinked', now)
  }
  return Number(numUpdatedRows) > 0
}

/**
 * Disables a channel at its recipient's request; with `confirms`, nothing is sent there until the recipient agrees
 * again. Returns whether the channel still exists with these settings.
 */
export const unsubscribe = write(
  async (
    db: Db,
    channel: { uuid: string; settings: Record<string, string>; confirms: boolean; now: number },
  ): Promise<boolean> => {
    const found = await db.sql
      .selectFrom('channels')
      .select('id')
      .where('uuid', '=', channel.uuid)
      .where('settings', '=', JSON.stringify(channel.settings))
      .executeTakeFirst()
    if (!found) return false
    return await recordingChannel(db, found.id, channel.now, async () => {
      const row = await db.sql
        .updateTable('channels')
        .set({ disabled: 1, ...(channel.confirms ? { confirmed: 0 } : {}) })
        .where('id', '=', found.id)
        .where('settings', '=', JSON.stringify(channel.settings))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined && (await switchChannel(db, row.id, false, channel.now))
    })
  },
)

/**
 * Locks a channel that is about to be enabled or changed, and its members, including `members`, until the transaction
 * ends. It waits for flips and settlements that are being stored, which then count; later ones see the channels after
 * the change. See `lockLinks`.
 */
async function lockToChange(db: Db, id: number, members: readonly number[] = []): Promise<void> {
  await lockChannelRows(db, [...(await withMembers(db, [id])), ...members], 'flips')
}

/**
 * Links a channel to the project's checks with these UUIDs, and to no others. UUIDs of no check of the project are
 * ignored, because the check may have been deleted since a page showed it, unless `known` is true: then they are
 * refused with `Refusal('invalid')`. `assigned`: the number of links. See actions/channels/assign-channel.ts for many.
 */
export const assign = announcedWrite(
  async (db: Db, asked: Assignment): Promise<{ assigned: number; alerts: boolean }> => {
    const { channel, removed, added, assigned } = await difference(db, asked)
    const { projectId, now } = asked
    const ended = await switchForChecks(db, projectId, { checks: removed, channel }, false, now)
    const begun = await switchForChecks(db, projectId, { checks: added, channel }, true, now)
    return { assigned, alerts: ended.alerts || begun.alerts }
  },
)

/** What {@link assign} changes. Writes nothing; throws as it does. */
export const previewAssignment = longRead(
  async (db: Db, asked: Omit<Assignment, 'now'>): Promise<AssignmentChange> => await difference(db, asked),
)

/** The UUIDs of the channel, and of the checks whose links go and come; and the number of links afterwards. */
export interface AssignmentChange {
  channel: string
  removed: string[]
  added: string[]
  assigned: number
}

async function difference(
  db: Db,
  { id, projectId, checks, known = false }: Omit<Assignment, 'now'>,
): Promise<AssignmentChange> {
  const channel = await db.sql.selectFrom('channels').select('uuid').where('id', '=', id).executeTakeFirst()
  if (!channel) throw new Refusal('not-found', 'there is no such integration')
  const before = new Set(await checksOf(db, projectId, id))
  const asked = [...new Set(checks)]
  const own = await inProject(db, projectId, asked)
  if (known && own.size < asked.length) throw unknownChecks(asked.filter(uuid => !own.has(uuid)))
  return {
    channel: channel.uuid,
    removed: [...before].filter(uuid => !own.has(uuid)),
    added: [...own].filter(uuid => !before.has(uuid)),
    assigned: own.size,
  }
}

/** Those of the UUIDs that belong to checks of the project. */
async function inProject(db: Db, projectId: number, uuids: readonly string[]): Promise<Set<string>> {
  const own = new Set<string>()
  for (const some of chunks(uuids, db.dialect.maxParameters - 1)) {
    const query = db.sql.selectFrom('checks').select('uuid').where('project_id', '=', projectId)
    for (const { uuid } of await query.where('uuid', 'in', some).orderBy('id').execute()) own.add(uuid)
  }
  return own
}

/** The refusal that names UUIDs which belong to no check of the project. */
function unknownChecks(uuids: readonly string[]): Refusal {
  const more = uuids.length > NAMED ? ` and ${uuids.length - NAMED} more` : ''
  const text = `no such checks in the project: ${uuids.slice(0, NAMED).join(', ')}${more}`
  return new Refusal('invalid', text, 'checks')
}
