import { DownNow } from '../../../views/components/checks/down-now.js'
import { FirstCheckLink, OverviewSummary, ProjectRow } from '../../../views/pages/projects/overview.js'
import type { WebContext } from '../context.js'
import { type LiveChange, stream, versionOf } from '../live/live.js'
import { pageContext } from '../page-context.js'
import { downIn, overviewData } from './overview.js'

/** GET: changes in the rows of the overview. */
export async function streamOverview(c: WebContext): Promise<Response> {
  const page = await pageContext(c)
  let seen = await overviewData(c)

  const look = async () => {
    const now = c.var.deps.clock.now()
    const before = new Set(seen.projects.map(project => JSON.stringify(project)))
    const data = await overviewData(c)
    if (versionOf(data) === versionOf(seen)) return null
    seen = data
    const { projects, downChecks: checks } = data
    const problems = downIn(projects)
    const shown = { page: { ...page, now }, checks, total: problems }
    const change: LiveChange = {
      version: versionOf(data),
      elements: {
        summary: String(OverviewSummary({ projects })),
        'first-check': String(FirstCheckLink({ page, projects })),
        'down-now': String(DownNow(shown)),
      },
      problems,
    }
    for (const project of projects) {
      if (before.has(JSON.stringify(project))) continue
      change.elements[`p-${project.uuid}`] = String(ProjectRow({ page: { ...page, now }, project }))
    }
    return change
  }
  // Each reader sees only their own projects.
  return stream(c, versionOf(seen), { look, mayRead: async () => {} })
}
