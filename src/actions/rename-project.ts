import type { Store } from '../storage/store.js'
import { projectName } from './project-name.js'

/** Renames a project. Throws a `Refusal` for a name that is too long. */
export async function renameProject(
  store: Pick<Store, 'renameProject'>,
  projectId: number,
  name: string,
): Promise<void> {
  await store.renameProject(projectId, projectName(name))
}
