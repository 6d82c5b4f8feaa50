import { OverviewPage, type OverviewProject } from '../../../views/pages/overview.js'
import type { WebContext } from '../context.js'
import { versionOf } from '../live.js'
import { pageContext } from '../page-context.js'
import { requireUser } from '../session.js'

/** GET: all projects of the reader. */
export async function showOverview(c: WebContext): Promise<Response> {
  const [page, projects] = [await pageContext(c), await overviewData(c)]
  const problems = projects.reduce((sum, { down }) => sum + down, 0)
  return await c.html(OverviewPage({ page: { ...page, problems }, projects, version: versionOf(projects) }))
}

/** The reader's projects, those in trouble first, then by name. Source: section 9.2 of the behaviour. */
export async function overviewData(c: WebContext): Promise<OverviewProject[]> {
  const { store, clock } = c.var.deps
  const entries = await store.listProjectsOf(requireUser(c).user.id)
  const overviews = await store.projectOverviews(
    entries.map(entry => entry.uuid),
    clock.now(),
  )
  const names = new Map(entries.map(({ uuid, name }) => [uuid, name]))
  const rank = ({ down, late }: OverviewProject) => (down > 0 ? 0 : late > 0 ? 1 : 2)
  return overviews
    .map(overview => ({ ...overview, name: names.get(overview.uuid) ?? '' }))
    .sort(
      (a, b) =>
        rank(a) - rank(b) || a.name.localeCompare(b.name, 'en', { sensitivity: 'base', numeric: true }),
    )
}
