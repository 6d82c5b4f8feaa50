import { Refusal } from '../../core/errors.js'
import { projectName } from '../../core/projects/project-name.js'
import type { StoreWith } from '../../storage/store.js'

/** Renames a project. Throws a `Refusal` if the name is empty or too long. */
export async function renameProject(
  store: StoreWith<'projects.rename'>,
  projectId: number,
  name: string,
  now: number,
): Promise<void> {
  const kept = projectName(name)
  if (kept === '') throw new Refusal('invalid', 'give the project a name', 'name')
  await store.projects.rename(projectId, kept, now)
}
