import { flipsShape } from '../../../actions/projects/set-flips-shape.js'
import { may } from '../../../core/people/role.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { RefusedForm } from '../../../views/pages/projects/project-settings/settings.js'
import { ProjectSettingsPage } from '../../../views/pages/projects/project-settings.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'
import { pageContext } from '../page-context.js'
import { requireUser } from '../people/session.js'
import { takeShownOnce } from '../show-once.js'

/** GET: a project's name, keys and members, and actions on the whole project. */
export async function showProjectSettings(c: WebContext): Promise<Response> {
  const project = await projectOf(c, c.req.param('uuid')!, 'read')
  return await c.html(await projectSettingsPage(c, project, null))
}

/** The path of a project's settings page. */
export function settingsPath(project: { uuid: string }): string {
  return `/projects/${project.uuid}/settings/`
}

/** The page. Keys are omitted for users who may not use them. */
export async function projectSettingsPage(
  c: WebContext,
  project: ProjectAccess,
  refused: RefusedForm | null,
) {
  const { store, clock, mailer, config } = c.var.deps
  const manages = may(project.role, 'manage')
  const [page, members, keys, tokens, webhooks, invitations, invitable, shape, protocols] = await Promise.all(
    [
      pageContext(c, project),
      store.projects.listMembers(project.id),
      may(project.role, 'write') ? store.projects.listApiKeys(project.id) : [],
      may(project.role, 'write') ? store.projects.listApiTokens({ projectId: project.id }) : [],
      manages ? store.events.webhooks(project.id) : [],
      manages ? store.projects.listInvitations(project.id, clock.now()) : [],
      may(project.role, 'own') ? store.projects.invitablePeople(project.id) : [],
      flipsShape(store, project.id),
      store.projects.protocols(project.id),
    ],
  )
  return ProjectSettingsPage({
    page,
    project: { uuid: project.uuid, name: project.name, role: project.role, checks: project.nChecks },
    keys,
    tokens,
    webhooks,
    pingKey: may(project.role, 'write') ? project.pingKey : null,
    members,
    invitations,
    invitable,
    reader: requireUser(c).user.uuid,
    flips: { shape, wrapByDefault: config.WRAP_FLIPS },
    protocols,
    siteRoot: config.SITE_ROOT,
    sendsMail: mailer !== null,
    shown: takeShownOnce(c, settingsPath(project)),
    refused,
  })
}
