import type { ProjectAccess } from '../../storage/access.js'
import type { PageContext } from '../../views/page-context.js'
import type { WebContext } from './context.js'
import { csrfToken } from './csrf.js'
import { takeFlash } from './flash.js'

/** What every page is told besides its own subject: who reads, of which project it is, what is wrong. */
export async function pageContext(c: WebContext, project: ProjectAccess | null = null): Promise<PageContext> {
  const { config, store, clock } = c.var.deps
  const user = c.var.session?.user ?? null
  const projects = user ? await store.listProjectsOf(user.id) : []
  const shown = project ? projects.filter(({ uuid }) => uuid === project.uuid) : projects
  return {
    user: user && { email: user.email, timezone: user.timezone, theme: user.theme },
    project: project && { uuid: project.uuid, name: project.name, role: project.role },
    projects,
    base: c.var.base,
    siteName: config.SITE_NAME,
    csrf: csrfToken(c),
    now: clock.now(),
    problems: shown.reduce((sum, { down }) => sum + down, 0),
    flash: takeFlash(c),
  }
}
