/** A check as it lies in its two rows, and as the rules see it. */
import type { Updateable } from 'kysely'
import type { Check, CheckKind, StoredStatus } from '../core/check.js'
import type { Settings } from '../core/check-changes.js'
import type { Db } from './db.js'
import type { CheckDetailsRow, CheckRow } from './tables.js'

/** A check with the numbers that the tables know it by. */
export type CheckWithIds = Check & { id: number; projectId: number }

/** The query for whole checks, to which the caller adds its conditions on `c` (checks) and `d` (details). */
export function selectChecks(db: Db) {
  return db.sql
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select([
      'c.id',
      'c.project_id as projectId',
      'c.uuid',
      'c.status',
      'c.status_since as statusSince',
      'c.kind',
      'c.period_s as periodSeconds',
      'c.grace_s as graceSeconds',
      'c.schedule',
      'c.tz',
      'c.methods',
      'c.manual_resume as manualResume',
      'c.filter_http_body as filterHttpBody',
      'c.filter_default_fail as filterDefaultFail',
      'c.n_pings as nPings',
      'c.last_ping as lastPing',
      'c.last_start as lastStart',
      'c.last_start_rid as lastStartRid',
      'c.last_duration as lastDurationMs',
      'c.due_at as dueAt',
      'c.alert_after as alertAfter',
      'd.unique_key as uniqueKey',
      'd.badge_key as badgeKey',
      'd.name',
      'd.slug',
      'd.tags',
      'd.desc',
      'd.start_kw as startKw',
      'd.success_kw as successKw',
      'd.failure_kw as failureKw',
      'd.filter_subject as filterSubject',
      'd.filter_body as filterBody',
      'd.subject_rules as subjectRules',
      'd.created_at as createdAt',
    ])
}

type SelectedRow = Awaited<ReturnType<ReturnType<typeof selectChecks>['execute']>>[number]

/** The check of a row. */
export function toCheck(row: SelectedRow): CheckWithIds {
  return Object.assign(row as Omit<SelectedRow, Flags>, {
    status: row.status as StoredStatus,
    kind: row.kind as CheckKind,
    methods: row.methods as Check['methods'],
    manualResume: row.manualResume === 1,
    filterHttpBody: row.filterHttpBody === 1,
    filterDefaultFail: row.filterDefaultFail === 1,
    filterSubject: row.filterSubject === 1,
    filterBody: row.filterBody === 1,
    subjectRules: row.subjectRules === 1,
  })
}

type Flags =
  | 'manualResume'
  | 'filterHttpBody'
  | 'filterDefaultFail'
  | 'filterSubject'
  | 'filterBody'
  | 'subjectRules'

/** The columns of `settings` in the table `checks`; what is absent is left out. */
export function hotColumns(settings: Partial<Settings>): Updateable<CheckRow> {
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
export function detailColumns(settings: Partial<Settings>): Updateable<CheckDetailsRow> {
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

function defined<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
