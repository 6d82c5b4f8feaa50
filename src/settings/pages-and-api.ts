import { flag, text } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** What pages and the API show. */
export const pageSettings = withGroup('Pages and API', {
  MASTER_BADGE_LABEL: {
    type: text,
    default: '{SITE_NAME}',
    help: 'The label of the badge for all checks of a project.',
  },
  METRICS_KEY: {
    type: text,
    default: '',
    secret: true,
    help: 'Opens `/api/v3/metrics/` and `/metrics` to requests that send it as `X-Metrics-Key` (to the latter also as a bearer token); empty keeps both closed.',
  },
  PROMETHEUS_ENABLED: {
    type: flag,
    default: 'True',
    help: 'Whether projects offer their checks to Prometheus.',
  },
  WRAP_FLIPS: {
    type: flag,
    default: 'False',
    help: 'Whether version 3 of the API returns flips as `{"flips": […]}`, as versions 1 and 2 do, instead of a bare array. A project’s own setting comes first.',
  },
})
