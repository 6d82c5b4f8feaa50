import { STARTER_CHECK, starterProject } from '../../core/projects/starter.js'
import type { Clock } from '../../lib/clock.js'
import { newPingKey } from '../../lib/secrets/secrets.js'
import type { StoreWith } from '../../storage/store.js'

/**
 * On the very first run, if nobody has made a project yet, makes one with a ping key and a check to try things
 * with, and returns their UUIDs. At any other time changes nothing and returns null.
 */
export async function firstRun(
  store: StoreWith<'projects.createFirst'>,
  clock: Clock,
): Promise<{ project: string; check: string } | null> {
  const project = { ...starterProject(newPingKey(), clock.now()), ownerId: null }
  const made = await store.projects.createFirst(project, STARTER_CHECK)
  return made && { project: made.project.uuid, check: made.check.uuid }
}
