/** Imports the database of a Healthchecks installation. */
import { Refusal } from '../../core/errors.js'
import { SOURCE_TABLES, type SourceTable, UNREAD_TABLES } from '../../core/import/source-schema.js'
import { SILENT_AFTER_MS } from '../../core/instance/beats.js'
import type { Side } from '../copy/side.js'
import { broughtBefore } from './brought.js'
import { allRows, type ImportRules, inTransaction } from './context.js'
import { importChannels } from './import-channels.js'
import { importChecks } from './import-checks.js'
import { importNotifications, importPings } from './import-log.js'
import { importPeople } from './import-people.js'
import { loadProgress, saveProgress } from './progress.js'
import { ImportReport } from './report.js'
import type { Source } from './source.js'

/**
 * Writes everything that `source` holds into `target`, or only reports it if that is null. What is there already, by its
 * UUID or address, stays as it is, and what an earlier import brought is not brought again: an interrupted import is continued,
 * and a finished one changes nothing. Throws a `Refusal` (`conflict`) if a server that takes pings uses the target,
 * another import writes into it, or an older version has imported this source. What only sends alerts is not noticed: it stores no beats.
 */
export async function importHealthchecks(
  source: Source,
  target: Side | null,
  rules: ImportRules,
  onProgress: (what: string, done: number, of: number) => void = () => {},
): Promise<ImportReport> {
  const report = new ImportReport()
  if (target) await refuseWhileInUse(target, rules.now)
  for (const table of Object.keys(SOURCE_TABLES) as SourceTable[])
    report.found[table] = await source.count(table)
  noteUnknown(source, report)
  const ids = { users: new Map(), projects: new Map(), channels: new Map(), checks: new Map() }
  const noted = { opened: new Set<number>(), hearing: new Set<number>(), members: new Map() }
  const job = { source, target, rules, report, ids, ...noted }
  const projects = (await allRows(source, 'accounts_project')).map(({ code }) => code!)
  const progress = await loadProgress(target, projects)
  const [oldest] = projects
  if (target && oldest && progress.stored && progress.complete) await refuseWithoutRecord(target, oldest)
  await importPeople(job, progress)
  await importChannels(job, progress)
  await importChecks(job, progress, done => onProgress('checks', done, report.found.api_check!))
  await importPings(job, progress, done => onProgress('pings', done, report.found.api_ping!))
  await importNotifications(job, progress)
  if (target) {
    await inTransaction(target, async () => {
      const isFirst = !progress.complete
      await saveProgress(target, progress, { complete: true })
      if (isFirst) await vouchUntil(target, source)
    })
  }
  return report
}

async function refuseWhileInUse({ sql }: Side, now: number): Promise<void> {
  const row = await sql
    .selectFrom('beats')
    .select(eb => eb.fn.max<number | null>('beat_at').as('at'))
    .where('stopped', '=', 0)
    .executeTakeFirst()
  if (row?.at != null && now - Number(row.at) < SILENT_AFTER_MS) {
    throw new Refusal('conflict', 'a server uses this database: stop it, and import again')
  }
}

/** Versions before decision 0161 did not record what an import brought: it could bring back what has ended since. */
async function refuseWithoutRecord(target: Side, projectUuid: string): Promise<void> {
  if (await broughtBefore(target, ['project', projectUuid])) return
  throw new Refusal(
    'conflict',
    'an older version imported this database, and did not record what it brought: another import could bring back what was removed here since. Import into a new database',
  )
}

/**
 * Records that pings were taken until the last one there. So the time until the server starts is an outage, and checks
 * whose deadlines passed in it wait for their next ping before they are down.
 */
async function vouchUntil({ sql }: Side, source: Source): Promise<void> {
  const before = await sql.selectFrom('beats').select('process').limit(1).executeTakeFirst()
  const newest = await sql
    .selectFrom('checks')
    .select(eb => eb.fn.max<number | null>('last_ping').as('at'))
    .executeTakeFirst()
  if (before || newest?.at == null || source.tables.size === 0) return
  const at = Number(newest.at)
  await sql.insertInto('beats').values({ process: 'import', beat_at: at, heard_at: at, stopped: 1 }).execute()
}

/** Tables and columns of versions that we do not know. */
function noteUnknown(source: Source, report: ImportReport): void {
  for (const [table, columns] of source.tables) {
    const known: object | undefined = SOURCE_TABLES[table as SourceTable]
    if (!known) {
      if (!(table in UNREAD_TABLES))
        report.note(`the table ${table}`, 'not read: this version does not know it')
      continue
    }
    for (const column of columns) {
      if (!(column in known))
        report.note(`the column ${table}.${column}`, 'not read: this version does not know it')
    }
  }
}
