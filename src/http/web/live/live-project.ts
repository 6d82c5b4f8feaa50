import type { ProjectAccess } from '../../../storage/people/access.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { requireRole, stream, versionOf } from './live.js'

/** The version of a page that shows events of a project. */
export async function projectVersion(c: WebContext, project: ProjectAccess): Promise<string> {
  return versionOf(await c.var.deps.store.projects.fingerprint(project.id))
}

/** Responds with a stream of the elements of the page, by id, whenever something happens in the project. */
export async function streamProject(
  c: WebContext,
  project: ProjectAccess,
  elements: (now: number) => Promise<Record<string, string>>,
): Promise<Response> {
  const { store, clock } = c.var.deps
  let seen = await projectVersion(c, project)
  const look = async () => {
    const version = await projectVersion(c, project)
    if (version === seen) return null
    seen = version
    const now = clock.now()
    const { down: problems } = await store.checks.stateCounts(project.id, now)
    return { version, problems, elements: await elements(now) }
  }
  const mayRead = async () => requireRole(project, await projectOf(c, project.uuid, 'read'))
  return stream(c, seen, { look, mayRead })
}
