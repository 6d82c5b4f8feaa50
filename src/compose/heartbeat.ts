import type { Config } from '../config.js'
import { type HeartbeatDeps, heartbeatJob } from '../jobs/heartbeat.js'
import { systemClock } from '../lib/clock.js'
import { anyAddress } from '../lib/http/public-address.js'
import { createSafeFetch } from '../lib/http/safe-fetch.js'
import type { Log } from '../lib/log/log.js'
import { packageVersion } from '../lib/package-root.js'
import type { Store } from '../storage/store.js'

/** What tells another installation that this one works, or null where the configuration names none. */
export function heartbeatOf(
  config: Config,
  store: Store,
  log: Log,
  seen: Pick<HeartbeatDeps, 'progress' | 'pingTrouble' | 'sendingTrouble'>,
) {
  if (config.HEARTBEAT_URL === '') return null
  return heartbeatJob({
    store,
    clock: systemClock,
    // The operator chose the address, so it may be a private one.
    fetch: createSafeFetch({ permits: anyAddress, userAgent: `Punctual/${packageVersion}` }),
    url: config.HEARTBEAT_URL,
    ...seen,
    onMissed: reason => log.warn('no heartbeat was sent', { reason }),
  })
}
