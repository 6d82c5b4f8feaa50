/** What a request may access: an outsider learns nothing (404), a member without the required role is refused (403). */

import { Refusal } from '../../core/errors.js'
import { may, type Need, type Role } from '../../core/people/role.js'
import { isUuid } from '../../core/text/uuid.js'
import type { ChannelAccess, CheckAccess, ProjectAccess, ProjectEntry } from '../../storage/people/access.js'
import type { SignedIn } from '../../storage/people/sessions.js'
import type { AppDeps } from '../deps.js'
import type { WebContext } from './context.js'
import { lookAtSession, requireUser } from './people/session.js'
import { lacksSecondStep } from './people/sign-in/required-second-step.js'

/**
 * The project with this UUID, with the caller's role. Throws a `Refusal`: `not-found` for an outsider, `forbidden` if
 * the role does not allow what is needed.
 */
export async function projectOf(c: WebContext, uuid: string, need: Need): Promise<ProjectAccess> {
  const project = await lookAtProject(c.var.deps, requireUser(c), { uuid, need })
  c.var.needed.push({ uuid, need })
  return project
}

/** The project and the role as they are now, see `projectOf`. */
export async function lookAtProject(
  { store }: Pick<AppDeps, 'store'>,
  { user }: SignedIn,
  { uuid, need }: { uuid: string; need: Need },
): Promise<ProjectAccess> {
  const project = isUuid(uuid) ? await store.people.projectAccess(user.id, uuid) : null
  if (!project) throw new Refusal('not-found', 'there is no such project')
  allow(project, need)
  return project
}

/**
 * The projects in which the user may do what is needed; none for a user who must set up a second step first. If that changes in one of them, the request has to begin anew, see
 * {@link ProjectsChanged}.
 */
export async function listedProjects(c: WebContext, need: Need): Promise<ProjectEntry[]> {
  const { user } = requireUser(c)
  const projects = (await lacksSecondStep(c)) ? [] : await c.var.deps.store.people.listProjects(user.id)
  const allowed = projects.filter(({ role }) => may(role, need))
  c.var.listed.set(
    need,
    allowed.map(({ uuid }) => uuid),
  )
  return allowed
}

/** The user may not do any more in a project what the request needs that is about several. */
export class ProjectsChanged extends Refusal {
  constructor() {
    super('forbidden', 'your access to a project has just changed: try again')
  }
}

/**
 * Looks again at what let the user in: the session, and the projects that the handler has asked for by then. Throws as they
 * would be refused now, or `ProjectsChanged`.
 */
export function lookAgain(c: WebContext): () => Promise<void> {
  const { deps, csrfSeed } = c.var
  const signedIn = requireUser(c)
  return async () => {
    const { needed, listed } = c.var
    const still = await lookAtSession({ deps, csrfSeed }, signedIn)
    for (const each of needed) await lookAtProject(deps, still, each)
    if (listed.size === 0) return
    const projects = await deps.store.people.listProjects(still.user.id)
    const roles = new Map(projects.map(({ uuid, role }) => [uuid, role]))
    for (const [need, uuids] of listed) {
      const isStill = (role: Role | undefined) => role !== undefined && may(role, need)
      if (!uuids.every(uuid => isStill(roles.get(uuid)))) throw new ProjectsChanged()
    }
  }
}

/** The check with this UUID and its project. Throws as `projectOf` does. */
export async function checkOf(c: WebContext, uuid: string, need: Need): Promise<CheckAccess> {
  const { user } = requireUser(c)
  const found = isUuid(uuid) ? await c.var.deps.store.people.checkAccess(user.id, uuid) : null
  if (!found) throw new Refusal('not-found', 'there is no such check')
  allow(found.project, need)
  c.var.needed.push({ uuid: found.project.uuid, need })
  return found
}

/** The channel with this UUID and its project. Throws as `projectOf` does. */
export async function channelOf(c: WebContext, uuid: string, need: Need): Promise<ChannelAccess> {
  const { user } = requireUser(c)
  const found = isUuid(uuid) ? await c.var.deps.store.people.channelAccess(user.id, uuid) : null
  if (!found) throw new Refusal('not-found', 'there is no such integration')
  allow(found.project, need)
  c.var.needed.push({ uuid: found.project.uuid, need })
  return found
}

/** Throws `Refusal('forbidden')` if the caller's role in the project does not allow what is needed. */
export function allow(project: Pick<ProjectAccess, 'role'>, need: Need): void {
  if (!may(project.role, need)) throw new Refusal('forbidden', REASONS[need])
}

const REASONS: Record<Need, string> = {
  read: 'you have no access to this project',
  write: 'you may look at this project, but not change it',
  manage: 'only the project’s owner and managers may do this',
  own: 'only the project’s owner may do this',
}
