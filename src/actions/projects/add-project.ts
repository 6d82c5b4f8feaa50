import { Refusal } from '../../core/errors.js'
import { projectName } from '../../core/projects/project-name.js'
import type { Clock } from '../../lib/clock.js'
import { newPingKey } from '../../lib/secrets/secrets.js'
import type { Project } from '../../storage/projects/projects.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * Creates a project for a person, with a ping key and nothing else. Throws a `Refusal` for an invalid or empty name.
 */
export async function addProject(
  store: StoreWith<'projects.create'>,
  clock: Clock,
  { name, ownerId }: { name: string; ownerId: number },
): Promise<Project> {
  const named = projectName(name)
  if (named === '') throw new Refusal('invalid', 'give the project a name', 'name')
  return await store.projects.create({ name: named, ownerId, pingKey: newPingKey(), now: clock.now() })
}
