import { changedFields, type FieldValues } from '../../core/events/event.js'
import type { Db } from '../db.js'
import { channelValues, withoutSecrets } from '../events/channel-values.js'
import { recordEvent } from '../events/record-events.js'

/** Runs a change of a channel, and records what it changed of what people set. */
export async function recordingChannel<T>(
  db: Db,
  id: number,
  now: number,
  change: () => Promise<T>,
): Promise<T> {
  const before = await valuesOf(db, id)
  const result = await change()
  const after = before && (await valuesOf(db, id))
  const changed = before && after && changedFields(before.values, after.values)
  if (!changed) return result
  const { projectId, uuid, kind, name } = after
  const event = {
    projectId,
    type: 'channel.updated' as const,
    object: { id: uuid, name },
    before: withoutSecrets(db, kind, changed.before),
    after: withoutSecrets(db, kind, changed.after),
  }
  await recordEvent(db, event, now)
  return result
}

async function valuesOf(db: Db, id: number) {
  const row = await db.sql.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  const rows = await db.sql
    .selectFrom('group_members as gm')
    .innerJoin('channels as member', 'member.id', 'gm.member_id')
    .select('member.uuid')
    .where('gm.group_id', '=', id)
    .orderBy('member.id')
    .execute()
  const members = rows.length > 0 ? { members: rows.map(({ uuid }) => uuid) } : {}
  const values: FieldValues = { ...channelValues(row), ...members }
  return { projectId: row.project_id, uuid: row.uuid, kind: row.kind, name: row.name, values }
}
