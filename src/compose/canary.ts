import { composeCanaryNotice } from '../actions/instance/compose-canary-notice.js'
import { notifyOperator } from '../actions/instance/notify-operator.js'
import { requestCanary } from '../actions/instance/request-canary.js'
import type { Config } from '../config.js'
import { canaryJob } from '../jobs/canary.js'
import { systemClock } from '../lib/clock.js'
import { isReachableAddress } from '../lib/http/reachable-address.js'
import { createSafeFetch } from '../lib/http/safe-fetch.js'
import type { Log } from '../lib/log/log.js'
import type { Mailer } from '../lib/mail/mailer.js'
import { packageVersion } from '../lib/package-root.js'
import { secretKeysOf } from '../lib/secrets/secret-key.js'
import type { Store } from '../storage/store.js'

/** Jobs rarely wait longer for the answer to a ping. */
const ANSWER_MS = 10_000

/** The job that checks whether pings can reach this installation; null if PING_CANARY is off. */
export function createCanary(
  config: Config,
  store: Store,
  log: Log,
  mailer: Mailer | null,
  onError: (error: unknown) => void,
) {
  if (!config.PING_CANARY) return null
  const fetch = createSafeFetch({
    permits: isReachableAddress,
    userAgent: `Punctual/${packageVersion}`,
    totalMs: ANSWER_MS,
  })
  const { PING_ENDPOINT: endpoint, ADMIN_EMAIL: to } = config
  const site = { name: config.SITE_NAME, root: config.SITE_ROOT }
  const keys = secretKeysOf(config)
  return canaryJob({
    store,
    clock: systemClock,
    request: signal => requestCanary(fetch, endpoint, keys, signal),
    onFailure: reason => log.warn('the ping endpoint was not reached', { endpoint, reason }),
    onChange({ since, until, reason }) {
      const from = new Date(since).toISOString()
      if (until === null) log.error('pings cannot reach the ping endpoint', { endpoint, since: from, reason })
      else
        log.warn('the ping endpoint is reached again', {
          endpoint,
          since: from,
          until: new Date(until).toISOString(),
        })
    },
    async notify(news, signal) {
      if (!mailer || to === '') return
      const notice = composeCanaryNotice(
        news,
        { name: site.name, endpoint, holdSeconds: config.OUTAGE_HOLD },
        systemClock.now(),
      )
      await notifyOperator({ mailer, site }, to, notice, signal)
    },
    onError,
  })
}
