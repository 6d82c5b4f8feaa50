/** Imports checks with their links, flips and incidents, some in each transaction. */
import { type ImportedCheck, mapCheck } from '../../core/import/map-check.js'
import { mapFlip } from '../../core/import/map-log.js'
import type { SourceRow } from '../../core/import/source-schema.js'
import { uniqueKey } from '../checks/checks.js'
import { settingColumns } from '../checks/rows/check-columns.js'
import { noteNames } from '../checks/rows/name-directory.js'
import type { Side } from '../copy/side.js'
import { broughtBefore, noteBrought, type SourceName } from './brought.js'
import { dbOf, type Import, inTransaction, nextId } from './context.js'
import { importFlips } from './import-flips.js'
import { type Progress, saveProgress } from './progress.js'

/** The number of checks in a transaction; their flips are held in memory. */
const SLICE = 50

export async function importChecks(
  job: Import,
  progress: Progress,
  onProgress: (done: number) => void,
): Promise<void> {
  const { source, target } = job
  let done = 0
  for (let after = 0; ; ) {
    const rows = await source.page('api_check', after, SLICE)
    if (rows.length === 0) return
    const sourceIds = rows.map(row => row.id!)
    const flips = target
      ? groupBy(await source.rowsOf('api_flip', 'owner_id', sourceIds), 'owner_id')
      : new Map()
    const links = target
      ? groupBy(await source.rowsOf('api_channel_checks', 'check_id', sourceIds), 'check_id')
      : new Map()
    const work = async () => {
      if (target) await saveProgress(target, progress, {})
      for (const row of rows) await importCheck(job, row, flips.get(row.id) ?? [], links.get(row.id) ?? [])
    }
    await (target ? inTransaction(target, work) : work())
    after = rows.at(-1)!.id!
    done += rows.length
    onProgress(done)
  }
}

async function importCheck(
  job: Import,
  row: SourceRow<'api_check'>,
  flipRows: readonly SourceRow<'api_flip'>[],
  links: readonly SourceRow<'api_channel_checks'>[],
): Promise<void> {
  const { target, report, ids } = job
  const check = mapCheck(row, report.note)
  const projectId = ids.projects.get(row.project_id!)
  if (!target) return
  const known = await target.sql
    .selectFrom('checks')
    .select(['id', 'n_pings as nPings', 'project_id as projectId'])
    .where('uuid', '=', check.uuid)
    .executeTakeFirst()
  // Of a project that is left out, checks may have been moved to others here.
  const project = known?.projectId ?? projectId
  if (project === undefined) return
  const name: SourceName = ['check', check.uuid]
  if (!known && (await broughtBefore(target, name))) {
    return report.add('checks left out: an earlier import brought them, and they have ended here since')
  }
  await noteBrought(target, name)
  const flips = flipRows.flatMap(flip => mapFlip(flip) ?? [])
  if (flips.length < flipRows.length) {
    report.note(
      `the check ${row.name || row.code}`,
      'status changes to or from an unknown status are left out',
    )
  }
  const statusSince = flips.at(-1)?.createdAt ?? check.createdAt
  const id = known?.id ?? (await addCheck(target, check, project, statusSince))
  ids.checks.set(row.id!, id)
  if (!known) {
    await linkChannels(job, id, links)
    report.add('checks')
  } else {
    // Healthchecks has gone on since the last import: its state counts. Else ours may be newer.
    if (known.nPings >= check.state.nPings) return
    await setState(target, id, check, statusSince)
    report.add('checks brought up to date')
  }
  const added = await importFlips(job, { id, projectId: project, status: check.state.status }, flips)
  if (added > 0) report.add('status changes', added)
}

async function addCheck(
  side: Side,
  check: ImportedCheck,
  projectId: number,
  statusSince: number,
): Promise<number> {
  const { id } = await side.sql
    .insertInto('checks')
    .values({
      ...settingColumns('state', check.settings),
      ...(await nextId(side, 'checks')),
      ...stateColumns(check, statusSince),
      uuid: check.uuid,
      project_id: projectId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await side.sql
    .insertInto('check_details')
    .values({
      ...settingColumns('details', check.settings),
      check_id: id,
      project_id: projectId,
      unique_key: uniqueKey(check.uuid),
      badge_key: check.badgeKey,
      created_at: check.createdAt,
    })
    .execute()
  await noteNames(dbOf(side), [id])
  await side.sql
    .updateTable('projects')
    .set(eb => ({ n_checks: eb('n_checks', '+', 1) }))
    .where('id', '=', projectId)
    .execute()
  return id
}

async function setState(side: Side, id: number, check: ImportedCheck, statusSince: number): Promise<void> {
  await side.sql.updateTable('checks').set(stateColumns(check, statusSince)).where('id', '=', id).execute()
}

function stateColumns({ state, confirmationLink }: ImportedCheck, statusSince: number) {
  return {
    status: state.status,
    status_since: statusSince,
    n_pings: state.nPings,
    last_ping: state.lastPing,
    last_start: state.lastStart,
    last_start_rid: state.lastStartRid,
    last_duration: state.lastDurationMs,
    due_at: state.dueAt,
    alert_after: state.alertAfter,
    wake_at: state.alertAfter,
    confirmation_link: confirmationLink ? (1 as const) : (0 as const),
  }
}

async function linkChannels(
  { target, ids }: Import,
  checkId: number,
  links: readonly SourceRow<'api_channel_checks'>[],
): Promise<void> {
  const channels = new Set(links.flatMap(({ channel_id }) => ids.channels.get(channel_id!) ?? []))
  if (channels.size === 0) return
  const values = [...channels].map(channelId => ({ check_id: checkId, channel_id: channelId }))
  await target!.sql.insertInto('check_channels').values(values).execute()
}

function groupBy<Row extends object, Name extends keyof Row>(
  rows: readonly Row[],
  name: Name,
): Map<Row[Name], Row[]> {
  const groups = new Map<Row[Name], Row[]>()
  for (const row of rows) {
    const group = groups.get(row[name])
    if (group) group.push(row)
    else groups.set(row[name], [row])
  }
  return groups
}
