import type { RecentIncident } from '../../../core/incidents/recent-incident.js'
import { may } from '../../../core/people/role.js'
import type { IncidentsQuery } from '../../../views/incidents-query.js'
import type { PageContext } from '../../../views/page-context.js'
import type { WebContext } from '../context.js'
import { versionOf } from '../live/live.js'
import { requireUser } from '../people/session.js'

const DAY_MS = 86_400_000
/** The maximum number of incidents on a page. */
const MOST = 1_000

export interface ListData {
  incidents: readonly RecentIncident[]
  more: boolean
  mayAcknowledge: boolean
}

/** The projects whose incidents a page shows: its own, or all of the reader. */
async function projectsOf(c: WebContext, { project }: Pick<PageContext, 'project'>) {
  return project ? [project] : await c.var.deps.store.people.listProjects(requireUser(c).user.id)
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
  const { incidents, more } = await c.var.deps.store.incidents.recent(
    uuids,
    { search, tag, channel, open, from: now - days * DAY_MS },
    { limit: MOST, now },
  )
  return { incidents, more, mayAcknowledge: projects.some(({ role }) => may(role, 'write')) }
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
