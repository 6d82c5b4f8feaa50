import { dependencyTree } from '../../../core/incidents/dependency-tree.js'
import { DependenciesPage } from '../../../views/pages/projects/dependencies.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** The most checks that the drawing shows. */
const MOST_DRAWN = 1_000

/** GET: who depends on whom in a project. */
export async function showDependencies(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const page = await pageContext(c, project)
  const { checks, edges } = await c.var.deps.store.incidents.dependencies(project.id, page.now)
  const tree = dependencyTree(checks, edges, MOST_DRAWN)
  const down = checks.filter(({ status }) => status === 'down').length
  return await c.html(DependenciesPage({ page, tree, down, all: checks.length }))
}
