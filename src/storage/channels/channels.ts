/** Channels: configured destinations. Their settings are interpreted by the integrations. */

import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.js'
import type { Need } from '../../core/people/role.js'
import { MOST_CHANNELS } from '../../core/projects/most-channels.js'
import { appendTo } from '../../lib/append-to.js'
import { mailInstead } from '../alerts/channel-notices.js'
import { endTargets, withMembers } from '../alerts/links/end-targets.js'
import { forgetNotifications, notificationsOfChannel } from '../alerts/log/forget-notifications.js'
import type { Db } from '../db.js'
import { channelValues, withoutSecrets } from '../events/channel-values.js'
import { recordEvent } from '../events/record-events.js'
import { read, write } from '../method.js'
import { newId } from '../new-id.js'
import { preparedList } from '../prepared.js'
import { type Author, lockAuthor } from '../projects/lock-author.js'
import { shownAttempt } from './failed-test.js'
import { addMembers, memberIds } from './group-members.js'
import { lockChannelRows } from './lock-channels.js'
import { recordingChannel } from './recording-channel.js'

export interface Channel {
  uuid: string
  name: string
  kind: string
  settings: Record<string, string>
  /** The UUIDs of a group's members; empty for other channels. */
  members: string[]
  disabled: boolean
  /** False until the owner of its address has agreed. */
  confirmed: boolean
  /** The last attempt, or a test that failed since: when it began, its duration (ms), and its error (empty: none). */
  lastNotify: number | null
  lastDurationMs: number | null
  lastError: string
  createdAt: number
}

export interface NewChannel {
  projectId: number
  name: string
  kind: string
  settings: Record<string, string>
  /** The UUIDs of channels in the same project. */
  members: readonly string[]
  /** Whether messages may be sent without anyone's consent; default true. */
  confirmed?: boolean
  /** Whether it is linked to the checks that its project has; default true. */
  forAll?: boolean
  by?: Author
  /** The right that the author needs; default `write`. */
  need?: Need
  now: number
}

/**
 * Creates a channel and links it to every check of its project, unless `forAll` is false. Throws a `Refusal` if the project
 * has {@link MOST_CHANNELS}, if its groups would have too many members, if a member is not a channel of the project, or if the
 * author may not create it any more. Source of the linking: docs/behaviour.md, section 8.1.
 */
export const create = write(async (db: Db, channel: NewChannel): Promise<{ id: number; uuid: string }> => {
  await lockAuthor(db, channel.projectId, channel.by, channel.need ?? 'write')
  await refuseMore(db, channel.projectId)
  const uuid = randomUUID()
  const members = await memberIds(db, channel.projectId, channel.members)
  const { id } = await db.sql
    .insertInto('channels')
    .values({
      ...(await newId(db, 'channels')),
      uuid,
      project_id: channel.projectId,
      name: channel.name,
      kind: channel.kind,
      settings: JSON.stringify(channel.settings),
      confirmed: channel.confirmed === false ? 0 : 1,
      created_at: channel.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addMembers(db, { id, projectId: channel.projectId }, members)
  if (channel.forAll !== false) await linkToAll(db, id, channel.projectId)
  const { projectId, kind, name, now } = channel
  const stored = { kind, name, settings: JSON.stringify(channel.settings), disabled: 0 }
  const values = channelValues({ ...stored, confirmed: channel.confirmed === false ? 0 : 1 })
  const after = withoutSecrets(db, kind, values)
  await recordEvent(db, { projectId, type: 'channel.created', object: { id: uuid, name }, after }, now)
  return { id, uuid }
})

/** Throws a `Refusal` if the project, which is locked, has as many channels as it can have. */
async function refuseMore(db: Db, projectId: number): Promise<void> {
  const { count } = await db.sql
    .selectFrom('channels')
    .select(eb => eb.fn.countAll<number | string>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_CHANNELS)
    throw new Refusal('limit', `a project can have ${MOST_CHANNELS} integrations`)
}

/** The channels of a project, oldest first. */
export const list = read(async (db: Db, projectId: number): Promise<Channel[]> => {
  return (await listOfProjects(db, [projectId]))[projectId] ?? []
})

/** The channels of several projects, by the ID of the project, oldest first. */
export const listOfProjects = read(
  async (db: Db, projectIds: readonly number[]): Promise<Record<number, Channel[]>> => {
    const found: Record<number, Channel[]> = {}
    const items = projectIds.map(projectId => ({ projectId }))
    const rows = await ofProjects(db, {}, items)
    const members = await membersOf(
      db,
      rows.map(row => row.id),
    )
    for (const row of rows) {
      found[row.project_id] ??= []
      found[row.project_id]!.push(toChannel(row, members.get(row.id) ?? []))
    }
    return found
  },
)

const ofProjects = preparedList((sql, _: Record<string, never>, items: { projectId: number }[]) =>
  sql
    .selectFrom('channels')
    .selectAll()
    .where(
      'project_id',
      'in',
      items.map(({ projectId }) => projectId),
    )
    .orderBy('id'),
)

/** A channel with what only the program needs. */
export interface LoadedChannel extends Channel {
  id: number
  projectId: number
  /** How often the links in its messages ended: those with an earlier version no longer work. */
  linkVersion: number
}

/** The channel with this UUID, or null. */
export const find = read(async (db: Db, uuid: string): Promise<LoadedChannel | null> => {
  const row = await db.sql.selectFrom('channels').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  if (!row) return null
  const members = await membersOf(db, [row.id])
  const { id, project_id: projectId, link_version: linkVersion } = row
  return { ...toChannel(row, members.get(id) ?? []), id, projectId, linkVersion }
})

/** Renames a channel. Returns whether it exists. */
export const rename = write(async (db: Db, id: number, name: string, now: number): Promise<boolean> => {
  return await recordingChannel(db, id, now, async () => {
    const { numUpdatedRows } = await db.sql
      .updateTable('channels')
      .set({ name })
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows) > 0
  })
})

/** Deletes a channel, see {@link removeChannel}; the notices that it was to carry are e-mailed. Returns whether it existed. */
const deleteChannel = write(async (db: Db, id: number, now: number): Promise<boolean> => {
  const [, ...members] = await withMembers(db, [id])
  await lockChannelRows(db, [id, ...members], 'flips')
  const row = await db.sql.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst()
  await mailInstead(db, id, now)
  const existed = await removeChannel(db, id)
  if (row && existed) await recordEvent(db, deletedChannel(db, row), now)
  if (members.length > 0) await endTargets(db, { channelIds: members }, 'unlinked', now)
  return existed
})

export { deleteChannel as delete }

/**
 * Deletes a channel with its deliveries and its log, without looking at groups. It is held first, so that concurrent transactions
 * leave nothing behind. Returns whether it existed.
 */
export async function removeChannel(db: Db, id: number): Promise<boolean> {
  await lockChannelRows(db, [id], 'flips')
  await db.sql.deleteFrom('deliveries').where('channel_id', '=', id).execute()
  await forgetNotifications(db, notificationsOfChannel(db, id))
  await db.sql.deleteFrom('flapping').where('channel_id', '=', id).execute()
  await db.sql.deleteFrom('reported').where('channel_id', '=', id).execute()
  const { numDeletedRows } = await db.sql
    .deleteFrom('channels')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows) > 0
}

async function linkToAll(db: Db, id: number, projectId: number): Promise<void> {
  await db.sql
    .insertInto('check_channels')
    .columns(['check_id', 'channel_id'])
    .expression(eb =>
      eb
        .selectFrom('checks')
        .select(s => ['checks.id as check_id', s.lit(id).as('channel_id')])
        .where('project_id', '=', projectId),
    )
    .execute()
}

function deletedChannel(
  db: Db,
  row: Parameters<typeof channelValues>[0] & { uuid: string; project_id: number },
) {
  const before = withoutSecrets(db, row.kind, channelValues(row))
  const object = { id: row.uuid, name: row.name }
  return { projectId: row.project_id, type: 'channel.deleted' as const, object, before }
}

async function membersOf(db: Db, groupIds: readonly number[]): Promise<Map<number, string[]>> {
  const members = new Map<number, string[]>()
  const items = groupIds.map(groupId => ({ groupId }))
  for (const { groupId, uuid } of await ofGroups(db, {}, items)) appendTo(members, groupId, uuid)
  return members
}

const ofGroups = preparedList((sql, _: Record<string, never>, items: { groupId: number }[]) =>
  sql
    .selectFrom('group_members as gm')
    .innerJoin('channels as member', 'member.id', 'gm.member_id')
    .select(['gm.group_id as groupId', 'member.uuid'])
    .where(
      'gm.group_id',
      'in',
      items.map(({ groupId }) => groupId),
    )
    .orderBy('member.id'),
)

function toChannel(
  row: {
    uuid: string
    name: string
    kind: string
    settings: string
    disabled: number
    confirmed: number
    last_notify: number | null
    last_duration: number | null
    last_error: string
    test_failed_at: number | null
    test_error: string
    created_at: number
  },
  members: string[],
): Channel {
  return {
    uuid: row.uuid,
    name: row.name,
    kind: row.kind,
    settings: JSON.parse(row.settings),
    members,
    disabled: row.disabled === 1,
    confirmed: row.confirmed === 1,
    ...shownAttempt(row),
    createdAt: row.created_at,
  }
}

/** Whether a channel still has the recipient with which it came: it was never given another, confirmed or enabled again. */
export const hasFirstRecipient = read(async (db: Db, uuid: string): Promise<boolean> => {
  const row = await db.sql
    .selectFrom('channels')
    .select('recipient_since')
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  return row !== undefined && row.recipient_since === null
})
