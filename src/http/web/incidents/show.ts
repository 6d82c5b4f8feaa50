import { findingsOf } from '../../../core/checks/findings/index.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { PageContext } from '../../../views/page-context.js'
import {
  IncidentEvents,
  IncidentPage,
  type IncidentPageProps,
  IncidentState,
} from '../../../views/pages/incidents/incident.js'
import type { WebContext } from '../context.js'
import { type LiveChange, requireRole, stream, versionOf } from '../live/live.js'
import { pageContext } from '../page-context.js'
import { readOutput } from '../pings/read-output.js'
import { incidentInPath, ownOnly } from './load-incident.js'

/** GET: the page of an incident. */
export async function showIncident(c: WebContext): Promise<Response> {
  const { project, id } = await incidentInPath(c, 'read')
  const page = await pageContext(c, project)
  return await c.html(IncidentPage(await dataOf(c, project, id, page)))
}

/** GET: the state and the timeline of an incident, whenever they change. */
export async function streamIncident(c: WebContext): Promise<Response> {
  const { project, id } = await incidentInPath(c, 'read')
  const page = await pageContext(c, project)
  const { clock, store } = c.var.deps
  const versionAt = async (now: number) =>
    versionOf(await ownOnly(store.incidents.timeline(project.id, id, now)))
  let seen = await versionAt(page.now)
  const look = async (): Promise<LiveChange | null> => {
    const now = clock.now()
    const version = await versionAt(now)
    if (version === seen) return null
    seen = version
    const data = await dataOf(c, project, id, { ...page, now })
    return {
      version,
      elements: { incident: String(IncidentState(data)), 'incident-events': String(IncidentEvents(data)) },
    }
  }
  const mayRead = async () => requireRole(project, (await incidentInPath(c, 'read')).project)
  return stream(c, seen, { look, mayRead })
}

async function dataOf(
  c: WebContext,
  project: ProjectAccess,
  id: number,
  page: PageContext,
): Promise<IncidentPageProps> {
  const { incidents, checks } = c.var.deps.store
  const shown = await ownOnly(incidents.timeline(project.id, id, page.now))
  const { incident, entries } = shown
  const { uuid } = incident.check
  const output = uuid === null ? null : await readOutput(c, uuid, await incidents.output(project.id, id))
  const facts =
    uuid === null || incident.closedAt !== null
      ? null
      : await checks.findingFacts(project.id, { uuid }, page.now)
  return {
    page,
    incident,
    entries,
    output,
    check: facts && uuid !== null ? { ...facts.check, uuid } : null,
    findings: facts ? findingsOf(facts) : [],
    version: versionOf(shown),
  }
}
