/** Imports channels and the members of groups, in one transaction. */
import { mapChannel } from '../../core/import/map-channel.js'
import { milliseconds } from '../../core/import/map-people.js'
import type { SourceRow } from '../../core/import/source-schema.js'
import type { Side } from '../copy/side.js'
import { broughtBefore, ENDED, noteBrought, type SourceName } from './brought.js'
import { allRows, type Import, inTransaction, nextId } from './context.js'
import { type Progress, saveProgress } from './progress.js'

export async function importChannels(job: Import, progress: Progress): Promise<void> {
  const rows = await allRows(job.source, 'api_channel')
  const byUuid = new Map<string, number>()
  const groups = new Map<number, { members: string[]; isNew: boolean; subject: string }>()
  noteMissingSettings(job, rows)
  const work = async () => {
    if (job.target) await saveProgress(job.target, progress, {})
    for (const row of rows) {
      const imported = await importChannel(job, row)
      if (!imported) continue
      byUuid.set(row.code!, imported.id)
      if (imported.members.length > 0) groups.set(imported.id, { ...imported, subject: subjectOf(row) })
      else if (imported.hearsDown && row.disabled !== true) job.hearing.add(imported.id)
    }
    for (const [id, group] of groups) {
      if (!group.isNew) {
        job.members.set(id, await membersOf(job.target!, id))
        continue
      }
      const members = group.members.flatMap(uuid => byUuid.get(uuid) ?? [])
      job.members.set(id, members)
      if (members.length < group.members.length) {
        job.report.note(group.subject, 'some of its members were deleted or not carried over')
      }
      if (members.length === 0) continue
      const links = members.map(member => ({ group_id: id, member_id: member }))
      await job.target!.sql.insertInto('group_members').values(links).execute()
    }
  }
  await (job.target ? inTransaction(job.target, work) : work())
}

/** The members that a group has here. */
async function membersOf({ sql }: Side, groupId: number): Promise<number[]> {
  const rows = await sql
    .selectFrom('group_members')
    .select('member_id as id')
    .where('group_id', '=', groupId)
    .execute()
  return rows.map(({ id }) => id)
}

function subjectOf(row: SourceRow<'api_channel'>): string {
  return `the channel ${row.name || row.code} (${row.kind})`
}

/** Kinds of channels that send nothing until the operator of this installation sets something. */
function noteMissingSettings({ rules, report }: Import, rows: readonly SourceRow<'api_channel'>[]): void {
  for (const kind of new Set(rows.map(row => row.kind ?? ''))) {
    const missing = rules.missingToSend(kind)
    if (missing.length > 0)
      report.note(
        `channels of the kind ${kind}`,
        `they send nothing until this is set: ${missing.join(', ')}`,
      )
  }
}

async function importChannel(
  { target, rules, report, ids }: Import,
  row: SourceRow<'api_channel'>,
): Promise<{ id: number; members: string[]; hearsDown: boolean; isNew: boolean } | null> {
  const mapped = mapChannel(row.kind ?? '', row.value ?? '')
  const complete = 'problem' in mapped ? mapped : rules.completeSettings(mapped.kind, mapped.given)
  if (!('settings' in complete)) {
    report.note(subjectOf(row), `not carried over: ${complete.problem}`)
    return null
  }
  const projectId = ids.projects.get(row.project_id!)
  if (target && projectId === undefined) return null
  const name: SourceName = ['channel', row.code!]
  const known = await target?.sql
    .selectFrom('channels')
    .select('id')
    .where('uuid', '=', row.code!)
    .executeTakeFirst()
  if (target && !known && (await broughtBefore(target, name))) {
    report.note(subjectOf(row), `left out: ${ENDED}`)
    return null
  }
  if (complete.problem !== null)
    report.note(subjectOf(row), `carried over as it is, but look at it: ${complete.problem}`)
  if (!target) return null
  await noteBrought(target, name)
  const { members, hearsDown, settings } = complete
  if (known) {
    ids.channels.set(row.id!, known.id)
    return { id: known.id, members, hearsDown, isNew: false }
  }
  const { id } = await target.sql
    .insertInto('channels')
    .values({
      ...(await nextId(target, 'channels')),
      uuid: row.code!,
      project_id: projectId!,
      name: row.name ?? '',
      kind: row.kind!,
      settings: JSON.stringify(settings),
      disabled: row.disabled === true ? 1 : 0,
      confirmed: row.kind === 'email' && row.email_verified !== true ? 0 : 1,
      last_notify: milliseconds(row.last_notify),
      last_duration: milliseconds(row.last_notify_duration),
      last_error: row.last_error ?? '',
      created_at: milliseconds(row.created) ?? 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  ids.channels.set(row.id!, id)
  report.add('channels')
  return { id, members, hearsDown, isNew: true }
}
