import type { Role } from '../../../../core/people/role.js'
import type { PageContext } from '../../../../views/page-context.js'
import { listedProjects, projectOf } from '../../access.js'
import type { WebContext } from '../../context.js'

export interface ScopeProject {
  id: number
  uuid: string
  name: string
  role: Role
}

/** Whose checks a list has: those of one project, or of all projects of the reader. */
export interface ListScope<P extends ScopeProject = ScopeProject> {
  /** The path of the list. */
  here: string
  /** The project of the address; null if the list is of all projects. */
  single: P | null
  projects: readonly P[]
}

/** The scope of a list's address. Throws as `projectOf` does. */
export async function scopeOf(c: WebContext) {
  const uuid = c.req.param('uuid')
  if (uuid !== undefined) {
    const project = await projectOf(c, uuid, 'read')
    return { here: `/projects/${uuid}/checks/`, single: project, projects: [project] }
  }
  const projects: ScopeProject[] = await listedProjects(c, 'read')
  return { here: '/checks/', single: null, projects }
}

/** The context of a row of a project in a list. */
export function rowPage(page: PageContext, { uuid, name, role }: ScopeProject): PageContext {
  return { ...page, project: { uuid, name, role, warning: null } }
}
