import { wholeGroups } from '../../../core/incidents/incident-night.js'
import type { RecentIncident } from '../../../core/incidents/recent-incident.js'
import { may } from '../../../core/people/role.js'
import type { RecentFilter } from '../../../storage/incidents/recent-incidents.js'
import type { IncidentsQuery } from '../../../views/incidents-query.js'
import type { PageContext } from '../../../views/page-context.js'
import { listedProjects } from '../access.js'
import type { WebContext } from '../context.js'
import { versionOf } from '../live/live.js'

const DAY_MS = 86_400_000
/** The maximum number of open incidents on a page. */
const MOST_OPEN = 500
/** The number of closed ones, and the maximum where those of one group are more. */
const COUNT = 100
const MOST = 1_000

export interface ListData {
  /** Those of the page. */
  incidents: readonly RecentIncident[]
  /** The last of the page if older ones follow; else null. */
  last: RecentIncident | null
  /** The last open one of the page if older ones are open too; else null. */
  lastOpen: RecentIncident | null
  /** The number of closed ones on all pages. */
  ended: number
  mayAcknowledge: boolean
}

/** The projects whose incidents a page shows: its own, or all of the reader. */
async function projectsOf(c: WebContext, { project }: Pick<PageContext, 'project'>) {
  return project ? [project] : await listedProjects(c, 'read')
}

/** The incidents that a page shows at `now`. */
export async function listData(
  c: WebContext,
  page: Pick<PageContext, 'project'>,
  query: IncidentsQuery,
  now: number,
): Promise<ListData> {
  const projects = await projectsOf(c, page)
  const { search, tag, channel, open, days } = query
  const uuids = projects.map(({ uuid }) => uuid)
  const filter = { search, tag, channel, open, from: now - days * DAY_MS }
  const { opened, closed, lastOpen, last } = await pageOf(c, uuids, { filter, query, now })
  const isAll = open === true || (query.after === null && last === null)
  const ended = isAll ? closed.length : await c.var.deps.store.incidents.recentlyClosed(uuids, filter)
  const mayAcknowledge = projects.some(({ role }) => may(role, 'write'))
  return { incidents: [...opened, ...closed], lastOpen, last, ended, mayAcknowledge }
}

/** The open incidents and a part of the closed ones that ends with a whole group. */
async function pageOf(
  c: WebContext,
  uuids: readonly string[],
  { filter, query, now }: { filter: RecentFilter; query: IncidentsQuery; now: number },
) {
  for (let limit = Math.ceil(COUNT * 1.5); ; limit *= 2) {
    const part = { most: { open: MOST_OPEN, closed: limit }, after: query.after, now }
    const { incidents, moreOpen, more } = await c.var.deps.store.incidents.recent(uuids, filter, part)
    const opened = incidents.filter(({ closedAt }) => closedAt === null)
    const found = incidents.slice(opened.length)
    const lastOpen = moreOpen ? opened.at(-1)! : null
    const end = wholeGroups(found, COUNT)
    if (end === null && more && limit < MOST) continue
    const closed = found.slice(0, end ?? found.length)
    const last = end !== null || more ? closed.at(-1)! : null
    return { opened, closed, lastOpen, last: filter.open === true ? lastOpen : last }
  }
}

/** The version of the page. Days that go by make the oldest incidents leave it. */
export async function listVersion(
  c: WebContext,
  page: Pick<PageContext, 'project'>,
  { days }: IncidentsQuery,
  now: number,
): Promise<string> {
  const projects = await projectsOf(c, page)
  const uuids = projects.map(({ uuid }) => uuid)
  const day = Math.floor(now / DAY_MS) - days
  return versionOf([await c.var.deps.store.incidents.fingerprint(uuids), day])
}
