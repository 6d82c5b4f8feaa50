import type { DownCheck } from '../../../core/checks/down-check.js'
import { compareNames } from '../../../core/text/compare-names.js'
import { OverviewPage, type OverviewProject } from '../../../views/pages/projects/overview.js'
import { listedProjects } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { versionOf } from '../live/live.js'
import { pageContext } from '../page-context.js'

/** GET: the checks of the reader's only project, or all projects. */
export async function showHome(c: WebContext): Promise<Response> {
  const [first, ...others] = await listedProjects(c, 'read')
  return first && others.length === 0 ? seeOther(c, `/projects/${first.uuid}/checks/`) : await showOverview(c)
}

/** GET: all projects of the reader. */
export async function showOverview(c: WebContext): Promise<Response> {
  const [page, data] = [await pageContext(c), await overviewData(c)]
  const problems = downIn(data.projects)
  return await c.html(OverviewPage({ page: { ...page, problems }, ...data, version: versionOf(data) }))
}

/** How many checks of all projects are down. */
export function downIn(projects: readonly OverviewProject[]): number {
  return projects.reduce((sum, { down }) => sum + down, 0)
}

/** The maximum number of down checks that are named; the projects show the numbers of all. */
const NAMED = 20

export interface OverviewData {
  projects: OverviewProject[]
  downChecks: DownCheck[]
}

/** The reader's projects, and their checks that are down. */
export async function overviewData(c: WebContext): Promise<OverviewData> {
  const { store, clock } = c.var.deps
  const projects = await projectsOf(c)
  const inTrouble = projects.filter(({ down }) => down > 0).map(({ uuid }) => uuid)
  return { projects, downChecks: await store.checks.listDown(inTrouble, clock.now(), NAMED) }
}

/** The reader's projects, those with problems first, then by name. Source: docs/behaviour.md, section 9.2. */
async function projectsOf(c: WebContext): Promise<OverviewProject[]> {
  const { store, clock } = c.var.deps
  const entries = await listedProjects(c, 'read')
  const overviews = await store.projects.overviews(
    entries.map(entry => entry.uuid),
    clock.now(),
  )
  const names = new Map(entries.map(({ uuid, name }) => [uuid, name]))
  const rank = ({ down, late }: OverviewProject) => (down > 0 ? 0 : late > 0 ? 1 : 2)
  return overviews
    .map(overview => ({ ...overview, name: names.get(overview.uuid) ?? '' }))
    .sort((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name))
}
