import { MOST_WALL_PROBLEMS } from '../../../core/projects/wall.js'
import { wallShape } from '../../../core/wire/wall.js'
import { WallPage } from '../../../views/pages/projects/wall.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'

/** GET: the wall display of a project for its members. */
export async function showProjectWall(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  return await c.html(WallPage({ page: await pageContext(c, project) }))
}

/** GET: what that display shows, as JSON. */
export async function sendProjectWall(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  const { store, clock } = c.var.deps
  const wall = await store.projects.wall(project.id, clock.now(), MOST_WALL_PROBLEMS)
  return c.json(wallShape(wall, 'rw'), 200, { 'Cache-Control': 'no-store' })
}

/** GET: a display for a wall, for anyone with a read-only key. Source: `/tv/` in docs/behaviour.md, section 9.2. */
export async function showWall(c: WebContext): Promise<Response> {
  return await c.html(WallPage({ page: await pageContext(c) }))
}
