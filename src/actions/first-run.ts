import { DEFAULT_GRACE_SECONDS, DEFAULT_PERIOD_SECONDS } from '../core/check.js'
import type { Clock } from '../lib/clock.js'
import { newPingKey } from '../lib/secrets.js'
import type { Store } from '../storage/store.js'

/**
 * On the very first run, if nobody has made a project yet, makes one with a ping key and a check to try things
 * with, and returns their UUIDs. At any other time changes nothing and returns null.
 */
export async function firstRun(
  store: Pick<Store, 'createFirstProject'>,
  clock: Clock,
): Promise<{ project: string; check: string } | null> {
  const made = await store.createFirstProject(
    { name: 'Default', ownerId: null, pingKey: newPingKey(), now: clock.now() },
    {
      name: 'My first check',
      slug: 'my-first-check',
      periodSeconds: DEFAULT_PERIOD_SECONDS,
      graceSeconds: DEFAULT_GRACE_SECONDS,
    },
  )
  return made && { project: made.project.uuid, check: made.check.uuid }
}
