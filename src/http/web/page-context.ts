import type { ProjectAccess } from '../../storage/people/access.js'
import type { ChannelHealth } from '../../storage/projects/project-fingerprint.js'
import type { PageContext } from '../../views/page-context.js'
import { listedProjects } from './access.js'
import type { WebContext } from './context.js'
import { csrfToken } from './csrf.js'
import { takeFlash } from './flash.js'

/** The context of every page besides its subject: the reader, the project, and problems with channels. */
export async function pageContext(c: WebContext, project: ProjectAccess | null = null): Promise<PageContext> {
  const { config, store, clock } = c.var.deps
  const user = c.var.session?.user ?? null
  const [projects, health] = await Promise.all([
    user ? listedProjects(c, 'read') : [],
    project ? store.projects.channelHealth(project.id) : null,
  ])
  const shown = project ? projects.filter(({ uuid }) => uuid === project.uuid) : projects
  return {
    user: user && { email: user.email, timezone: user.timezone, theme: user.theme },
    project: project && {
      uuid: project.uuid,
      name: project.name,
      role: project.role,
      warning: health && warningOf(health),
    },
    projects,
    base: c.var.base,
    siteName: config.SITE_NAME,
    csrf: csrfToken(c),
    now: clock.now(),
    problems: shown.reduce((sum, { down }) => sum + down, 0),
    flash: takeFlash(c),
  }
}

/** The problems of a project's channels. Source: docs/behaviour.md, section 9.8. */
function warningOf({ channels, failing }: ChannelHealth): string | null {
  if (channels === 0) return 'no integrations, so no one is alerted'
  if (failing === 0) return null
  return failing === 1 ? 'one is failing' : `${failing} are failing`
}
