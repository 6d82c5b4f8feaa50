import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { requireUser } from '../people/session.js'

/** GET: how many checks of a project are down, for the title and the icon of tabs that nobody sees. */
export async function countProblems(c: WebContext): Promise<Response> {
  const { store, clock } = c.var.deps
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const { down } = await store.checks.stateCounts(project.id, clock.now())
  return answer(c, down)
}

/** GET: how many checks of all projects of the reader are down. */
export async function countAllProblems(c: WebContext): Promise<Response> {
  const projects = await c.var.deps.store.people.listProjects(requireUser(c).user.id)
  return answer(
    c,
    projects.reduce((sum, project) => sum + project.down, 0),
  )
}

function answer(c: WebContext, down: number): Response {
  return c.json({ down }, 200, { 'Cache-Control': 'no-store' })
}
