import type { DeliverDeps } from '../../../src/actions/alerts/deliver.js'
import { loadConfig } from '../../../src/config.js'
import { operatorSettings } from '../../../src/integrations/index.js'
import type { Clock } from '../../../src/lib/clock.js'
import type { Store } from '../../../src/storage/store.js'
import { testWays } from '../alert.js'

export interface TestDeliveryOptions {
  /** The operator's settings, by name. */
  operator?: Readonly<Record<string, string>>
  /** Where connections go instead; see `testWays`. */
  routes?: Readonly<Record<string, string>>
}

/** The transports of notifications in tests: real requests, also to this machine; no mail server. */
export function testDelivery(
  store: Store,
  clock: Clock,
  { operator = {}, routes = {} }: TestDeliveryOptions = {},
): DeliverDeps & { store: Store } {
  const root = 'http://localhost:8000'
  return {
    store,
    clock,
    worker: 'tests',
    site: { name: 'Punctual', root },
    transports: signal => testWays(null, { signal, routes }),
    links: { siteRoot: root, pingEndpoint: `${root}/ping/` },
    statusUrl: uuid => `${root}/status/${uuid}`,
    bounceId: uuid => `n.${uuid}`,
    answerTo: ({ uuid }, { id }) => ({
      acknowledgeUrl: `${root}/integrations/${uuid}/incidents/${id}/signature/`,
      acknowledgeToken: `a:${id}`,
    }),
    answerToMessageUrl: ({ uuid }, notification) => `${root}/integrations/${uuid}/messages/${notification}/`,
    unsubscribeUrl: uuid => `${root}/integrations/${uuid}/unsub/`,
    bodies: null,
    quotas: { messages: 500, calls: 500 },
    sendsMail: true,
    operator: { ...defaults, ...operator },
    onDelivery() {},
    onError() {},
  }
}

/** The operator's settings by default. */
const defaults = loadConfig({}, operatorSettings).operator
