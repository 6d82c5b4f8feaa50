import type { Config } from '../config.js'
import { type HeartbeatDeps, heartbeatJob } from '../jobs/heartbeat.js'
import { systemClock } from '../lib/clock.js'
import { anyAddress } from '../lib/http/public-address.js'
import { createSafeFetch } from '../lib/http/safe-fetch.js'
import type { Log } from '../lib/log/log.js'
import { packageVersion } from '../lib/package-root.js'
import type { Store } from '../storage/store.js'

/** The job that pings another installation while this one works; null if HEARTBEAT_URL is empty. */
export function createHeartbeat(
  config: Config,
  store: Store,
  log: Log,
  parts: Pick<HeartbeatDeps, 'progress' | 'pingTrouble' | 'setAside'>,
) {
  if (config.HEARTBEAT_URL === '') return null
  return heartbeatJob({
    store,
    clock: systemClock,
    // The operator configured the address, so it may be a private one.
    fetch: createSafeFetch({ permits: anyAddress, userAgent: `Punctual/${packageVersion}` }),
    url: config.HEARTBEAT_URL,
    ...parts,
    onMissed: reason => log.warn('no heartbeat was sent', { reason }),
  })
}
