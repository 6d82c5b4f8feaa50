import { readIncidentsQuery } from '../../../views/incidents-query.js'
import { IncidentsPage, IncidentsPart } from '../../../views/pages/incidents/incidents.js'
import { projectOf } from '../access.js'
import { shownChannels } from '../checks/shown-channels.js'
import type { WebContext } from '../context.js'
import { type LiveChange, requireRole, stream } from '../live/live.js'
import { pageContext } from '../page-context.js'
import { listData, listVersion } from './list-data.js'

/** The project in the address, or null for the list of all projects. */
async function projectInPath(c: WebContext) {
  const uuid = c.req.param('uuid')
  return uuid === undefined ? null : await projectOf(c, uuid, 'read')
}

/** GET: the incidents of a project, or of all projects of the reader. */
export async function listIncidents(c: WebContext): Promise<Response> {
  const project = await projectInPath(c)
  const page = await pageContext(c, project)
  const query = readIncidentsQuery(new URL(c.req.url).searchParams)
  const version = await listVersion(c, page, query, page.now)
  const [data, channels] = await Promise.all([
    listData(c, page, query, page.now),
    project ? c.var.deps.store.channels.list(project.id) : [],
  ])
  return await c.html(IncidentsPage({ page, query, version, channels: shownChannels(channels), ...data }))
}

/** GET: the list, whenever it changes. */
export async function streamIncidents(c: WebContext): Promise<Response> {
  const project = await projectInPath(c)
  const page = await pageContext(c, project)
  const query = readIncidentsQuery(new URL(c.req.url).searchParams)
  const { clock } = c.var.deps
  let seen = await listVersion(c, page, query, page.now)
  const look = async (): Promise<LiveChange | null> => {
    const now = clock.now()
    const version = await listVersion(c, page, query, now)
    if (version === seen) return null
    seen = version
    const data = await listData(c, page, query, now)
    return {
      version,
      elements: { incidents: String(IncidentsPart({ page: { ...page, now }, query, ...data })) },
    }
  }
  // Each reader sees only their own projects.
  const mayRead = async () => {
    const now = await projectInPath(c)
    if (project && now) requireRole(project, now)
  }
  return stream(c, seen, { look, mayRead })
}
