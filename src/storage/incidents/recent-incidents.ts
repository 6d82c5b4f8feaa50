/** The incidents of one project or several, for the pages: the open ones first, then the newest, in pages. */
import { sql } from 'kysely'
import type { IncidentPlace, RecentIncident } from '../../core/incidents/recent-incident.js'
import { hasTag, isNamed } from '../checks/list/filters.js'
import type { Db } from '../db.js'
import { longRead, read } from '../method.js'
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

export interface RecentPart {
  /** The maximum numbers of open and of closed incidents. */
  most: { open: number; closed: number }
  /** The last incident of the page before; null for the first page. Later ones have open incidents only if the filter asks for these. */
  after: IncidentPlace | null
  now: number
}

const INTEGRATIONS = ['some', 'disabled', 'none'] as const

/** Of the check of incident `i`: 0 if an integration is enabled or its policy has one, 1 if all are disabled, null if it has none. */
const enabledIntegrations = sql<number | null>`CASE
  WHEN EXISTS (SELECT 1 FROM incident_channels ic WHERE ic.incident_id = i.id) THEN 0
  ELSE (
    SELECT min(ch.disabled) FROM check_channels cc JOIN channels ch ON ch.id = cc.channel_id WHERE cc.check_id = i.check_id
  ) END`

/** A part of the incidents of the projects with these UUIDs, and whether there are more open ones and more closed ones. */
export const recent = longRead(
  async (
    db: Db,
    projects: readonly string[],
    filter: RecentFilter,
    { most, after, now }: RecentPart,
  ): Promise<{ incidents: RecentIncident[]; moreOpen: boolean; more: boolean }> => {
    if (projects.length === 0) return { incidents: [], moreOpen: false, more: false }
    const { open, from } = filter
    const select = (limit: number) =>
      selectFiltered(db, projects, filter)
        .select(['p.uuid as projectUuid', 'p.name as projectName'])
        .select(enabledIntegrations.as('integrations'))
        .orderBy('i.opened_at', 'desc')
        .orderBy('i.id', 'desc')
        .limit(limit + 1)
        .$if(after !== null, query => query.where(isAfter(after!)))
    // Each has an index of its own.
    const ofOpen =
      open === false || (open === null && after !== null)
        ? []
        : await select(most.open).where('i.closed_at', 'is', null).execute()
    const ofClosed = open === true ? [] : await select(most.closed).where('i.closed_at', '>=', from).execute()
    const rows = [...ofOpen.slice(0, most.open), ...ofClosed.slice(0, most.closed)]
    const outcomes = await outcomesOf(
      db,
      rows.map(({ id }) => id),
    )
    const incidents = rows.map(row => ({
      ...toListedIncident(row, now),
      project: { uuid: row.projectUuid, name: row.projectName },
      outcome: { ...outcomes.get(row.id)!, integrations: INTEGRATIONS[row.integrations ?? 2]! },
    }))
    return { incidents, moreOpen: ofOpen.length > most.open, more: ofClosed.length > most.closed }
  },
)

/** The number of closed incidents of these projects that match the filter, whose `open` is ignored. */
export const recentlyClosed = read(
  async (db: Db, projects: readonly string[], filter: RecentFilter): Promise<number> => {
    if (projects.length === 0) return 0
    const { count } = await selectFiltered(db, projects, filter)
      .clearSelect()
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where('i.closed_at', '>=', filter.from)
      .executeTakeFirstOrThrow()
    return Number(count)
  },
)

function selectFiltered(db: Db, projects: readonly string[], { search, tag, channel }: RecentFilter) {
  const among = () => sql`i.project_id IN (SELECT id FROM projects WHERE uuid IN (${sql.join(projects)}))`
  let query = selectIncidents(db, among)
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .where('p.uuid', 'in', projects)
  if (tag !== '') query = query.where(hasTag(db, tag))
  if (channel !== '') query = query.where(wasSentTo(channel))
  if (search !== '') query = query.where(isNamed(search, sql`coalesce(d.name, i.label)`))
  return query
}

function isAfter({ openedAt, id }: IncidentPlace) {
  return sql<boolean>`(i.opened_at, i.id) < (${openedAt}, ${id})`
}
