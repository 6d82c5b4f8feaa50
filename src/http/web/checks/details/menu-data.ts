import { may } from '../../../../core/people/role.js'
import type { ProjectAccess } from '../../../../storage/people/access.js'
import type { CheckPageProps } from '../../../../views/check-page.js'
import type { PageContext } from '../../../../views/page-context.js'
import type { WebContext } from '../../context.js'
import { otherProjects } from '../transfer.js'

/** What decides which entries the menu on the page of a check has. */
export async function menuData(
  c: WebContext,
  page: PageContext,
  project: ProjectAccess,
): Promise<Pick<CheckPageProps, 'targets' | 'takesPushTokens'>> {
  const accepted = may(project.role, 'manage') ? await c.var.deps.store.projects.protocols(project.id) : []
  return {
    targets: otherProjects(page, project.uuid),
    takesPushTokens: accepted.includes('uptime-kuma'),
  }
}
