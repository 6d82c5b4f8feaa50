import { listedProjects, projectOf } from '../access.js'
import type { WebContext } from '../context.js'

/** GET: the number of checks of a project that are down, for the title and icon of hidden tabs. */
export async function countProblems(c: WebContext): Promise<Response> {
  const { store, clock } = c.var.deps
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const { down } = await store.checks.stateCounts(project.id, clock.now())
  return answer(c, down)
}

/** GET: the number of checks that are down in all projects of the reader. */
export async function countAllProblems(c: WebContext): Promise<Response> {
  const projects = await listedProjects(c, 'read')
  return answer(
    c,
    projects.reduce((sum, project) => sum + project.down, 0),
  )
}

function answer(c: WebContext, down: number): Response {
  return c.json({ down }, 200, { 'Cache-Control': 'no-store' })
}
