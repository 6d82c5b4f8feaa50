import { addressPrefix, domain, orNone, whole } from '../lib/setting-types.js'
import { withGroup } from '../lib/settings.js'

/** How pings are shown and kept. */
export const pingSettings = withGroup('Pings', {
  PING_ENDPOINT: {
    type: addressPrefix,
    default: '{SITE_ROOT}/ping/',
    help: 'The beginning of ping URLs as displayed. Punctual always accepts pings under `/ping/`.',
  },
  PING_BODY_LIMIT: {
    type: orNone(whole(0)),
    default: '10000',
    help: 'The number of bytes of a ping’s body that are stored; `None`: no limit.',
  },
  PING_EMAIL_DOMAIN: {
    type: domain,
    default: 'localhost',
    help: 'The domain of the e-mail addresses of checks.',
  },
  PING_LOG_LIMIT: {
    type: whole(1),
    default: '1000',
    help: 'The number of pings stored for each check. It can be far higher than the default; listings show at most 1,000.',
  },
  CHECK_LIMIT: {
    type: whole(1),
    default: '10000',
    help: 'The number of checks an account may have. Pings with `create=1` may create up to twice that number.',
  },
})
