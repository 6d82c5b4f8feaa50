import { Refusal } from '../../core/errors.js'
import type { Project } from '../../storage/projects/projects.js'
import type { StoreWith } from '../../storage/store.js'

/** The project with this UUID. Throws a `Refusal` when there is none. */
export async function findProject(store: StoreWith<'projects.find'>, uuid: string): Promise<Project> {
  const project = await store.projects.find(uuid.trim().toLowerCase())
  if (!project) throw new Refusal('not-found', `there is no project ${uuid}: see \`punctual project list\``)
  return project
}
