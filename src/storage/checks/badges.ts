/** The data for badges and Prometheus. */

import type { Kysely } from 'kysely'
import { type BadgeCounts, countStatuses } from '../../core/checks/badge.js'
import { tagList } from '../../core/checks/check.js'
import { isStarted, statusAt } from '../../core/checks/status.js'
import { prometheusText } from '../../core/wire/prometheus.js'
import type { Db } from '../db.js'
import { holdColumns, holdOf, outagesFrom } from '../instance/hold-columns.js'
import { currentHold } from '../instance/outages.js'
import { longRead, read, readWithoutSnapshot } from '../method.js'
import { prepared } from '../prepared.js'
import type { Tables } from '../tables.js'
import { STATUS_COLUMNS } from './rows/check-rows.js'
import { selectShownName, shownName } from './rows/shown-name.js'

/** The key with which a project's badges are signed, and the tags of its checks. */
export interface BadgeTags {
  badgeKey: string
  tags: string[]
}

/** The data of one check's badge. `name` may be empty. */
export interface CheckBadge {
  name: string
  counts: BadgeCounts
}

export const badgeTags = read(async (db: Db, projectId: number): Promise<BadgeTags> => {
  const [project] = await badgeKeyOf.all(db, { projectId })
  const rows = (await tagsOf.arrays(db, { projectId })) as [string][]
  const tags = new Set(rows.flatMap(([text]) => tagList(text)))
  return { badgeKey: project!.badgeKey, tags: [...tags].sort() }
})

const badgeKeyOf = prepared((sql, value: { projectId: number }) =>
  sql.selectFrom('projects').select('badge_key as badgeKey').where('id', '=', value.projectId),
)

const tagsOf = prepared((sql, value: { projectId: number }) =>
  sql
    .selectFrom('check_details')
    .select('tags')
    .distinct()
    .where('project_id', '=', value.projectId)
    .where('tags', '!=', ''),
)

/** Counts the checks with `tag` (null: all) in the project with this badge key; null if there is no such project. */
export const projectBadge = longRead(
  async (db: Db, badgeKey: string, tag: string | null, now: number): Promise<BadgeCounts | null> => {
    const [project] = await projectByBadgeKey.all(db, { badgeKey })
    if (!project) return null
    const rows = await statusesOfProject.all(db, { projectId: project.id })
    const hold = await currentHold(db, now)
    const shown = tag === null ? rows : rows.filter(row => tagList(row.tags).includes(tag))
    return countStatuses(shown.map(row => statusAt(row, now, hold)))
  },
)

const projectByBadgeKey = prepared((sql, value: { badgeKey: string }) =>
  sql.selectFrom('projects').select('id').where('badge_key', '=', value.badgeKey),
)

const statusesOfProject = prepared((sql, value: { projectId: number }) =>
  selectStatuses(sql).where('d.project_id', '=', value.projectId).orderBy('c.id'),
)

/** The check with this badge key, or null. */
export const badge = readWithoutSnapshot(
  async (db: Db, badgeKey: string, now: number): Promise<CheckBadge | null> => {
    const [row] = await statusByBadgeKey.all(db, { badgeKey, since: outagesFrom(now) })
    if (!row) return null
    const status = statusAt(row, now, holdOf(row, now, db.settings.outageHoldMs))
    return { name: row.name, counts: countStatuses([status]) }
  },
)

const statusByBadgeKey = prepared((sql, value: { badgeKey: string; since: number }) =>
  selectStatuses(sql)
    .innerJoin('projects as p', 'p.id', 'd.project_id')
    .select(holdColumns(value.since))
    .where('d.badge_key', '=', value.badgeKey)
    .where('p.deleting', '=', 0),
)

/** A project's checks as Prometheus metrics. */
export const showPrometheus = longRead(async (db: Db, projectId: number, now: number): Promise<string> => {
  const rows = await statusesOfProject.all(db, { projectId })
  const hold = await currentHold(db, now)
  return prometheusText(
    rows.map(row => ({
      name: row.name,
      tags: row.tags,
      uniqueKey: row.uniqueKey,
      status: statusAt(row, now, hold),
      started: isStarted(row),
    })),
  )
})

function selectStatuses(sql: Kysely<Tables>) {
  return sql
    .selectFrom('check_details as d')
    .innerJoin('checks as c', 'c.id', 'd.check_id')
    .select(['d.name', 'd.tags', 'd.unique_key as uniqueKey', ...STATUS_COLUMNS])
}

/** The checks of a project whose name contains `search`, with their badge keys, by name. */
export const listBadges = longRead(
  async (
    db: Db,
    projectId: number,
    { search, limit }: { search: string; limit: number },
  ): Promise<{ checks: { uuid: string; name: string; badgeKey: string }[]; total: number }> => {
    const rows = await db.sql
      .selectFrom('check_details as d')
      .innerJoin('checks as c', 'c.id', 'd.check_id')
      .select(['c.uuid', selectShownName, 'd.badge_key as badgeKey'])
      .where('d.project_id', '=', projectId)
      .orderBy(shownName)
      .orderBy('c.id')
      .execute()
    const wanted = search.toLowerCase()
    const found = rows.filter(row => row.name.toLowerCase().includes(wanted))
    return { checks: found.slice(0, limit), total: found.length }
  },
)
