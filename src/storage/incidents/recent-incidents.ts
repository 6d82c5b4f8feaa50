/** The incidents of one project or several, for the pages: the open ones first, then the newest. */
import { sql } from 'kysely'
import type { RecentIncident } from '../../core/incidents/recent-incident.js'
import { hasTag, isNamed } from '../checks/list/filters.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { selectIncidents, toListedIncident } from './incident-rows.js'
import { outcomesOf } from './reading/outcomes.js'
import { wasSentTo } from './reading/was-sent-to.js'

/** Which incidents a page shows. `from` (ms): those that are open, or closed since then. */
export interface RecentFilter {
  from: number
  open: boolean | null
  /** A part of the check's name, in any case; empty: any. */
  search: string
  /** A tag of the check; empty: any. */
  tag: string
  /** The UUID of a channel to which it was sent; empty: any. */
  channel: string
}

const INTEGRATIONS = ['some', 'disabled', 'none'] as const

/** Of the check of incident `i`: 0 if an integration is enabled or its policy has one, 1 if all are disabled, null if it has none. */
const enabledIntegrations = sql<number | null>`CASE
  WHEN EXISTS (SELECT 1 FROM incident_channels ic WHERE ic.incident_id = i.id) THEN 0
  ELSE (
    SELECT min(ch.disabled) FROM check_channels cc JOIN channels ch ON ch.id = cc.channel_id WHERE cc.check_id = i.check_id
  ) END`

/** At most `limit` incidents of the projects with these UUIDs, and whether there are more. */
export const recent = read(
  async (
    db: Db,
    projects: readonly string[],
    { from, open, search, tag, channel }: RecentFilter,
    { limit, now }: { limit: number; now: number },
  ): Promise<{ incidents: RecentIncident[]; more: boolean }> => {
    if (projects.length === 0) return { incidents: [], more: false }
    const select = () => {
      const among = () => sql`i.project_id IN (SELECT id FROM projects WHERE uuid IN (${sql.join(projects)}))`
      let query = selectIncidents(db, among)
        .innerJoin('projects as p', 'p.id', 'i.project_id')
        .select(['p.uuid as projectUuid', 'p.name as projectName'])
        .select(enabledIntegrations.as('integrations'))
        .where('p.uuid', 'in', projects)
      if (tag !== '') query = query.where(hasTag(db, tag))
      if (channel !== '') query = query.where(wasSentTo(channel))
      if (search !== '') query = query.where(isNamed(search, sql`coalesce(d.name, i.label)`))
      return query
        .orderBy('i.opened_at', 'desc')
        .orderBy('i.id', 'desc')
        .limit(limit + 1)
    }
    // Each has an index of its own.
    const rows = open === false ? [] : await select().where('i.closed_at', 'is', null).execute()
    if (open !== true && rows.length <= limit)
      rows.push(...(await select().where('i.closed_at', '>=', from).execute()))
    const shown = rows.slice(0, limit)
    const outcomes = await outcomesOf(
      db,
      shown.map(({ id }) => id),
    )
    const incidents = shown.map(row => ({
      ...toListedIncident(row, now),
      project: { uuid: row.projectUuid, name: row.projectName },
      outcome: { ...outcomes.get(row.id)!, integrations: INTEGRATIONS[row.integrations ?? 2]! },
    }))
    return { incidents, more: rows.length > limit }
  },
)
