import { DEFAULT_GRACE_SECONDS, DEFAULT_PERIOD_SECONDS } from '../../core/checks/check.js'
import { newPingKey } from '../../lib/secrets/secrets.js'

/** The check that a new project has, to try things with. */
export const STARTER_CHECK = {
  name: 'My first check',
  slug: 'my-first-check',
  periodSeconds: DEFAULT_PERIOD_SECONDS,
  graceSeconds: DEFAULT_GRACE_SECONDS,
}

/** The project that a new account has. */
export function starterProject(now: number) {
  return { name: 'Default', pingKey: newPingKey(), now }
}
