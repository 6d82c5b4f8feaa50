/** The channels that groups stand for. */
import { Refusal } from '../../core/errors.js'
import { MOST_GROUP_MEMBERS } from '../../core/projects/most-channels.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'

/**
 * Adds channels, by their IDs, to a group that has no members, or none any more: `before` is how many it had. Throws a `Refusal` if it
 * grows and the groups of its project, which is locked, would have more than {@link MOST_GROUP_MEMBERS} together.
 */
export async function addMembers(
  db: Db,
  group: { id: number; projectId: number },
  members: readonly number[],
  before = 0,
): Promise<void> {
  if (members.length > before) await refuseMoreMembers(db, group.projectId, members.length)
  for (const some of chunks(members, Math.floor(db.dialect.maxParameters / 2))) {
    await db.sql
      .insertInto('group_members')
      .values(some.map(member => ({ group_id: group.id, member_id: member })))
      .execute()
  }
}

async function refuseMoreMembers(db: Db, projectId: number, added: number): Promise<void> {
  const { count } = await db.sql
    .selectFrom('group_members as gm')
    .innerJoin('channels as g', 'g.id', 'gm.group_id')
    .select(eb => eb.fn.countAll<number | string>().as('count'))
    .where('g.project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(count) + added > MOST_GROUP_MEMBERS)
    throw new Refusal('limit', `the groups of a project can have ${MOST_GROUP_MEMBERS} members together`)
}

/** The IDs of a project's channels with these UUIDs. Throws a `Refusal` if one is not a channel of the project. */
export async function memberIds(db: Db, projectId: number, uuids: readonly string[]): Promise<number[]> {
  if (uuids.length === 0) return []
  const rows = await db.sql
    .selectFrom('channels')
    .select(['id', 'uuid'])
    .where('project_id', '=', projectId)
    .where('uuid', 'in', [...uuids])
    .execute()
  const unknown = uuids.find(uuid => !rows.some(row => row.uuid === uuid))
  if (unknown !== undefined) throw new Refusal('invalid', `the project has no channel ${unknown}`)
  return rows.map(row => row.id)
}
