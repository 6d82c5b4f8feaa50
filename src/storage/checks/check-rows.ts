/** A check as it lies in its two rows, and as the rules see it. */
import type { Kysely, Selectable } from 'kysely'
import type { Check, CheckKind, StoredStatus } from '../../core/checks/check.js'
import type { Settings } from '../../core/checks/check-changes.js'
import type { CheckDetailsRow, CheckRow, Tables } from '../tables.js'

/** A check with the numbers that the tables know it by. */
export type CheckWithIds = Check & { id: number; projectId: number }

/** The columns of a whole check, in the order in which {@link toCheck} reads them. */
const COLUMNS = [
  'c.id',
  'c.project_id',
  'c.uuid',
  'c.status',
  'c.status_since',
  'c.kind',
  'c.period_s',
  'c.grace_s',
  'c.schedule',
  'c.tz',
  'c.methods',
  'c.manual_resume',
  'c.filter_http_body',
  'c.filter_default_fail',
  'c.n_pings',
  'c.last_ping',
  'c.last_start',
  'c.last_start_rid',
  'c.last_duration',
  'c.due_at',
  'c.alert_after',
  'd.unique_key',
  'd.badge_key',
  'd.name',
  'd.slug',
  'd.tags',
  'd.desc',
  'd.start_kw',
  'd.success_kw',
  'd.failure_kw',
  'd.filter_subject',
  'd.filter_body',
  'd.subject_rules',
  'd.created_at',
] as const

/**
 * The query for whole checks, to which the caller adds its conditions on `c` (checks) and `d` (details). Its rows
 * are read as arrays: as objects, this many columns cost three times as much.
 */
export function selectChecks(sql: Kysely<Tables>) {
  return sql.selectFrom('checks as c').innerJoin('check_details as d', 'd.check_id', 'c.id').select(COLUMNS)
}

/** The check of a row of {@link selectChecks}. */
export function toCheck(row: readonly unknown[]): CheckWithIds {
  return {
    id: row[0] as number,
    projectId: row[1] as number,
    uuid: row[2] as string,
    status: row[3] as StoredStatus,
    statusSince: row[4] as number,
    kind: row[5] as CheckKind,
    periodSeconds: row[6] as number,
    graceSeconds: row[7] as number,
    schedule: row[8] as string,
    tz: row[9] as string,
    methods: row[10] as Check['methods'],
    manualResume: row[11] === 1,
    filterHttpBody: row[12] === 1,
    filterDefaultFail: row[13] === 1,
    nPings: row[14] as number,
    lastPing: row[15] as number | null,
    lastStart: row[16] as number | null,
    lastStartRid: row[17] as string | null,
    lastDurationMs: row[18] as number | null,
    dueAt: row[19] as number | null,
    alertAfter: row[20] as number | null,
    uniqueKey: row[21] as string,
    badgeKey: row[22] as string,
    name: row[23] as string,
    slug: row[24] as string,
    tags: row[25] as string,
    desc: row[26] as string,
    startKw: row[27] as string,
    successKw: row[28] as string,
    failureKw: row[29] as string,
    filterSubject: row[30] === 1,
    filterBody: row[31] === 1,
    subjectRules: row[32] === 1,
    createdAt: row[33] as number,
  }
}

/** The columns of a check's settings in the table `checks`. */
export type AllHotColumns = Pick<
  Selectable<CheckRow>,
  | 'kind'
  | 'period_s'
  | 'grace_s'
  | 'schedule'
  | 'tz'
  | 'methods'
  | 'manual_resume'
  | 'filter_http_body'
  | 'filter_default_fail'
>

/** The columns of a check's settings in the table `check_details`. */
export type AllDetailColumns = Omit<
  Selectable<CheckDetailsRow>,
  'check_id' | 'project_id' | 'unique_key' | 'badge_key' | 'created_at'
>

/** The columns of `settings` in the table `checks`; what is absent is left out. */
export function hotColumns(settings: Settings): AllHotColumns
export function hotColumns(settings: Partial<Settings>): Partial<AllHotColumns>
export function hotColumns(settings: Partial<Settings>): Partial<AllHotColumns> {
  return defined({
    kind: settings.kind,
    period_s: settings.periodSeconds,
    grace_s: settings.graceSeconds,
    schedule: settings.schedule,
    tz: settings.tz,
    methods: settings.methods,
    manual_resume: bit(settings.manualResume),
    filter_http_body: bit(settings.filterHttpBody),
    filter_default_fail: bit(settings.filterDefaultFail),
  })
}

/** The columns of `settings` in the table `check_details`; what is absent is left out. */
export function detailColumns(settings: Settings): AllDetailColumns
export function detailColumns(settings: Partial<Settings>): Partial<AllDetailColumns>
export function detailColumns(settings: Partial<Settings>): Partial<AllDetailColumns> {
  return defined({
    name: settings.name,
    slug: settings.slug,
    tags: settings.tags,
    desc: settings.desc,
    start_kw: settings.startKw,
    success_kw: settings.successKw,
    failure_kw: settings.failureKw,
    filter_subject: bit(settings.filterSubject),
    filter_body: bit(settings.filterBody),
    subject_rules: bit(settings.subjectRules),
  })
}

function bit(flag: boolean | undefined): 0 | 1 | undefined {
  return flag === undefined ? undefined : flag ? 1 : 0
}

function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
