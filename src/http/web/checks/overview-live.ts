import { OverviewSummary, ProjectRow } from '../../../views/pages/overview.js'
import type { WebContext } from '../context.js'
import { type LiveChange, stream, versionOf } from '../live.js'
import { pageContext } from '../page-context.js'
import { overviewData } from './overview.js'

/** GET: what changes in the rows of the overview. */
export async function streamOverview(c: WebContext): Promise<Response> {
  const page = await pageContext(c)
  let seen = await overviewData(c)

  return stream(c, versionOf(seen), async () => {
    const now = c.var.deps.clock.now()
    const before = new Set(seen.map(project => JSON.stringify(project)))
    const projects = await overviewData(c)
    if (versionOf(projects) === versionOf(seen)) return null
    seen = projects
    const change: LiveChange = {
      version: versionOf(projects),
      elements: { summary: String(OverviewSummary({ projects })) },
      problems: projects.reduce((sum, { down }) => sum + down, 0),
    }
    for (const project of projects) {
      if (before.has(JSON.stringify(project))) continue
      change.elements[`p-${project.uuid}`] = String(ProjectRow({ page: { ...page, now }, project }))
    }
    return change
  })
}
