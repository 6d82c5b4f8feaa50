import { host, issuerAddress, orNone, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** Watching Punctual itself. */
export const operationSettings = withGroup('Operation', {
  METRICS_PORT: {
    type: orNone(whole(1, 65_535)),
    default: 'None',
    help: 'A port of its own for `/metrics` (without a key unless `METRICS_KEY` is set) and `/ready`, also where the process has no other: `serve --role worker`.',
  },
  METRICS_HOST: {
    type: host,
    default: '127.0.0.1',
    help: 'The address that `METRICS_PORT` is listened on.',
  },
  HEARTBEAT_URL: {
    type: issuerAddress,
    default: '',
    secret: true,
    help: 'An address that is pinged once a minute while pings are taken and alerts are sent: a check at another installation, which notices when this one stops.',
  },
  STOP_DELAY: {
    type: whole(0, 300),
    default: '0',
    help: 'How many seconds `/ready` answers 503 before a process that is to stop takes no more requests, so that load balancers look elsewhere first.',
  },
})
