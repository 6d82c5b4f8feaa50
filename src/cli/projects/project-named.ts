import { Refusal } from '../../core/errors.js'
import type { Project } from '../../storage/projects/projects.js'
import type { Store } from '../../storage/store.js'

/** The project with this UUID. Throws a `Refusal` when there is none. */
export async function projectNamed(store: Pick<Store, 'findProject'>, uuid: string): Promise<Project> {
  const project = await store.findProject(uuid.trim().toLowerCase())
  if (!project) throw new Refusal('not-found', `there is no project ${uuid}: see \`punctual project list\``)
  return project
}
