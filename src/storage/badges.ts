/** What badges and Prometheus say of a project's checks. */
import { type BadgeCounts, countStatuses } from '../core/badge.js'
import { type State, type StoredStatus, type Timing, tagList } from '../core/check.js'
import { isStarted, statusAt } from '../core/status.js'
import { prometheusText } from '../core/wire/prometheus.js'
import type { Db } from './db.js'
import { currentHold } from './outages.js'

/** The name by which a project's badges are signed, and the tags that its checks have. */
export interface BadgeTags {
  badgeKey: string
  tags: string[]
}

/** What one check's badge shows. `name` may be empty. */
export interface CheckBadge {
  name: string
  counts: BadgeCounts
}

export async function badgeTags(db: Db, projectId: number): Promise<BadgeTags> {
  const { badge_key: badgeKey } = await db.sql
    .selectFrom('projects')
    .select('badge_key')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const rows = await db.sql
    .selectFrom('check_details')
    .select('tags')
    .where('project_id', '=', projectId)
    .where('tags', '!=', '')
    .distinct()
    .execute()
  return { badgeKey, tags: [...new Set(rows.flatMap(row => tagList(row.tags)))].sort() }
}

/** Counts the checks with `tag` (null: all) of the project with this badge key; null where there is none. */
export async function projectBadge(
  db: Db,
  badgeKey: string,
  tag: string | null,
  now: number,
): Promise<BadgeCounts | null> {
  const project = await db.sql
    .selectFrom('projects')
    .select('id')
    .where('badge_key', '=', badgeKey)
    .executeTakeFirst()
  if (!project) return null
  const rows = await selectStatuses(db).where('d.project_id', '=', project.id).execute()
  const hold = await currentHold(db, now)
  const shown = tag === null ? rows : rows.filter(row => tagList(row.tags).includes(tag))
  return countStatuses(shown.map(row => statusAt(toState(row), now, hold)))
}

/** The check with this badge key, or null. */
export async function checkBadge(db: Db, badgeKey: string, now: number): Promise<CheckBadge | null> {
  const row = await selectStatuses(db).where('d.badge_key', '=', badgeKey).executeTakeFirst()
  if (!row) return null
  const status = statusAt(toState(row), now, await currentHold(db, now))
  return { name: row.name, counts: countStatuses([status]) }
}

/** The project's checks as metrics for Prometheus. */
export async function showPrometheus(db: Db, projectId: number, now: number): Promise<string> {
  const rows = await selectStatuses(db).where('d.project_id', '=', projectId).orderBy('c.id').execute()
  const hold = await currentHold(db, now)
  return prometheusText(
    rows.map(row => ({
      name: row.name,
      tags: row.tags,
      uniqueKey: row.uniqueKey,
      status: statusAt(toState(row), now, hold),
      started: isStarted(row),
    })),
  )
}

function selectStatuses(db: Db) {
  return db.sql
    .selectFrom('check_details as d')
    .innerJoin('checks as c', 'c.id', 'd.check_id')
    .select(['d.name', 'd.tags', 'd.unique_key as uniqueKey', 'c.status', 'c.last_start as lastStart'])
    .select(['c.due_at as dueAt', 'c.alert_after as alertAfter', 'c.grace_s as graceSeconds'])
}

type StatusRow = { status: string } & Pick<State, 'lastStart' | 'dueAt' | 'alertAfter'> &
  Pick<Timing, 'graceSeconds'>

function toState(row: StatusRow) {
  return { ...row, status: row.status as StoredStatus }
}

/** The checks of a project with the keys of their badges, by name: those whose name holds `search`. */
export async function badgeChecks(
  db: Db,
  projectId: number,
  { search, limit }: { search: string; limit: number },
): Promise<{ checks: { uuid: string; name: string; badgeKey: string }[]; total: number }> {
  const rows = await db.sql
    .selectFrom('check_details as d')
    .innerJoin('checks as c', 'c.id', 'd.check_id')
    .select(['c.uuid', 'd.name', 'd.badge_key as badgeKey'])
    .where('d.project_id', '=', projectId)
    .orderBy('d.name')
    .orderBy('c.id')
    .execute()
  const wanted = search.toLowerCase()
  const found = rows.filter(row => row.name.toLowerCase().includes(wanted))
  return { checks: found.slice(0, limit), total: found.length }
}
