import { STARTER_CHECK, starterProject } from '../../core/projects/starter.js'
import type { Clock } from '../../lib/clock.js'
import { newPingKey } from '../../lib/secrets/secrets.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * On the first run, creates a project with a ping key and a check to try, and returns their UUIDs. If a project or an
 * account exists, does nothing and returns null.
 */
export async function createFirstProject(
  store: StoreWith<'projects.createFirst'>,
  clock: Clock,
): Promise<{ project: string; check: string } | null> {
  const project = { ...starterProject(newPingKey(), clock.now()), ownerId: null }
  const made = await store.projects.createFirst(project, STARTER_CHECK)
  return made && { project: made.project.uuid, check: made.check.uuid }
}
