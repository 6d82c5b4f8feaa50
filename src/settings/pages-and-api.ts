import { flag, orNone, text, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** What pages and the API show. */
export const pageSettings = withGroup('Pages and API', {
  ANONYMOUS_REQUESTS_PER_SECOND: {
    type: orNone(whole(1)),
    default: '50',
    help: 'How many requests of visitors who are not signed in, and of programs whose key or token is missing or wrong, are answered in a second for each address (each /64 of IPv6); `None`: any number. More wait up to two seconds; what would wait longer is answered 429. Pings, badges and probes do not count. Each process counts for itself. Behind a proxy, set `TRUSTED_PROXIES`.',
  },
  API_REQUESTS_PER_MINUTE: {
    type: orNone(whole(1)),
    default: '3000',
    help: 'How many requests each token or key may send to Punctual’s own API in a minute; `None`: any number. Each process counts for itself.',
  },
  MASTER_BADGE_LABEL: {
    type: text,
    default: '{SITE_NAME}',
    help: 'The label of the badge that covers all checks of a project.',
  },
  METRICS_KEY: {
    type: text,
    default: '',
    secret: true,
    help: 'The key for `/api/v3/metrics/` and `/metrics`. Requests send it as `X-Metrics-Key`, or for `/metrics` also as a bearer token. Empty: both are closed.',
  },
  PROMETHEUS_ENABLED: {
    type: flag,
    default: 'True',
    help: 'Whether Prometheus can read the checks of projects.',
  },
  WRAP_FLIPS: {
    type: flag,
    default: 'False',
    help: 'Whether version 3 of the API returns flips as `{"flips": […]}`, as versions 1 and 2 do, instead of a bare array. The setting of a project takes precedence.',
  },
})
