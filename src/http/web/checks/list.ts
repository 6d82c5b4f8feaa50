import { ChecksPageView } from '../../../views/pages/checks/checks.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { listData } from './list-data.js'
import { logos } from './shown-channels.js'

/** GET: the checks of a project. */
export async function listChecks(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const context = await pageContext(c, project)
  const data = await listData(c, project, context.now)
  const page = { ...context, problems: data.list.counts.down }
  const mayPing = project.pingKey !== null && project.role !== 'readonly'
  const pingEndpoint = c.var.deps.config.PING_ENDPOINT
  const firstPing = mayPing ? `${pingEndpoint}${project.pingKey}/my-job?create=1` : null
  const hasDependencies = await c.var.deps.store.incidents.hasDependencies(project.id)
  return await c.html(
    ChecksPageView({ ...data, page, project, logos, pingEndpoint, firstPing, hasDependencies }),
  )
}
