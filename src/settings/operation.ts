import {
  flag,
  folder,
  host,
  issuerAddress,
  optional,
  optionalEmail,
  orNone,
  whole,
} from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** Monitoring of Punctual itself. */
export const operationSettings = withGroup('Operation', {
  METRICS_PORT: {
    type: orNone(whole(1, 65_535)),
    default: 'None',
    help: 'A separate port for `/metrics` and `/ready`. Also available with `serve --role worker`, which has no other port. `/metrics` needs no key on it unless `METRICS_KEY` is set.',
  },
  METRICS_HOST: {
    type: host,
    default: '127.0.0.1',
    help: 'The address to listen on for `METRICS_PORT`.',
  },
  HEARTBEAT_URL: {
    type: issuerAddress,
    default: '',
    secret: true,
    help: 'An address to ping once a minute while pings are recorded and alerts are sent. Use the ping URL of a check at another installation, which then notices when this one stops.',
  },
  PING_CANARY: {
    type: flag,
    default: 'False',
    help: 'Whether Punctual requests its own `PING_ENDPOINT` once a minute, as a job elsewhere would. When three requests in a row fail and no ping arrives either, pings count as unreachable, and alerts about silence wait for at most `OUTAGE_HOLD`.',
  },
  ADMIN_EMAIL: {
    type: optionalEmail,
    default: '',
    help: 'Where Punctual writes when `PING_CANARY` finds that pings cannot reach it, and when they can again.',
  },
  CONFIG_DIR: {
    type: optional(folder),
    default: '',
    help: 'A folder with files of [configuration](configuration-as-code.md#from-a-folder), which are applied when Punctual starts and when it receives SIGHUP.',
  },
  STOP_DELAY: {
    type: whole(0, 300),
    default: '0',
    help: 'How many seconds `/ready` answers 503 before a process that is stopping refuses requests, so that load balancers stop sending traffic first.',
  },
})
